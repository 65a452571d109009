"""What is true of memory text: pure Python, no clock, no randomness, no input or output."""
