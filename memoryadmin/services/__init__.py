"""Acts: who may, in what order, and what is recorded. Interfaces call these modules and nothing below them."""
