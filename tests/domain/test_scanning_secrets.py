"""SE-03: secrets are found in prose and in keys, in several languages; what only looks like one is not.

The samples are put together from pieces, so that no scanner takes this file for a leak.
"""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryadmin.domain.scanning import Finding, find_secrets, mask, new_findings
from tests.domain import corpus

MOST_SECONDS = 20  # a second or less on an idle machine; anything not linear takes minutes
RANDOM = "Zk39dkLm" + "Qp20xYzA81"
HEX = "7f3c9a1be04d" + "42d8a6c5"
JWT = ".".join(["eyJhbGciOiJI" + "UzI1NiJ9", "eyJzdWIiOiIx" + "MjM0NTY3ODkwIn0", "dozjgNryP4J3j" + "VmNHl0w5N"])
BEGIN, END = "-----BEGIN RSA PRIV" + "ATE KEY-----", "-----END RSA PRIV" + "ATE KEY-----"
KEY_LINE = "MIIEpAIBAAKCAQEA" + "0Z3VS5JJcds3xfn8ygWyF8PbnGy5AHB"

FORMS = [
    ("aws_access_key", "AKIA" + "IOSFODNN7EXAMPLE"),
    ("github_token", "ghp" + "_16C7e42F292c6912E7710c838347Ae178B4a"),
    ("github_token", "github" + "_pat_11AABBCC22ddeeff33445566_abcdefghij"),
    ("gitlab_token", "glpat" + "-Zx81kq02Jw93mmQp77Ya"),
    ("slack_token", "xoxb" + "-2048-51723-AbCdEf1234567890"),
    ("stripe_key", "sk" + "_live_4eC39HqLyjWDarjtT1zdp7dc"),
    ("google_key", "AIza" + "SyD4x81kPqLm02nRt5uVwXyZ0123456789a"),
    ("openai_key", "sk" + "-proj-Ab12Cd34Ef56Gh78Ij90Kl12"),
    ("anthropic_key", "sk" + "-ant-api03-Zk39dkLmQp20-xYz"),
    ("telegram_token", "123456789" + ":AAF4kd93kLsQpWm20xYzAbCdEfGh12345-_"),
    ("service_token", "hf" + "_Zk39dkLmQp20xYzAbCdEfGh12345678901"),
    ("jwt", JWT),
    ("private_key", f"{BEGIN}\n{KEY_LINE}\n{KEY_LINE}\n{END}"),
    ("private_key", f"{BEGIN}\\n{KEY_LINE}\\n{END}"),
    ("private_key", f"{BEGIN}\nMIIEow9" + f"QxZk39dkLmQp\n{END}"),
    ("private_key", f"{BEGIN}\n{KEY_LINE}"),
    ("private_key", f"{BEGIN}\\n{KEY_LINE}"),
]

# Text before the secret, the secret, text after it.
NAMED = [
    (
        "slack_webhook",
        "https://hooks.slack.com/services/",
        "T0AB12CD3/B0EF45GH6/" + "qW3rTy8uIoPaSdFg",
        " now",
    ),
    ("bearer_token", "Authorization: Bearer ", "9f8e7d6c5b4a", "\n"),
    ("bearer_token", "'authorization': 'Basic ", "YWxpY2U6czNjcjN0", "'"),
    ("connection_string", "postgresql://app:", "Zu7kQ9", "@db.example/main"),
    ("connection_string", "redis://:", "p4ssw0rd!x", "@cache.example:6379/0"),
    ("password", "password=", "hunter2", ""),
    ("password", "password=", "letmeinplease", "\n"),
    ("password", "https://x.example/?password=", "hunter2", "&next=/"),
    ("password", "Password: ", "S3cret!", ""),
    ("password", '"password": "', "correct horse 9", '",'),
    ("password", '{\\"password\\":\\"', "hunter2x", '\\"}'),
    ("password", "DB_PASS=", "Xk92mm", "\n"),
    ("password", "PGPASSWORD=", "zuKunft77", " psql"),
    ("password", "Server=db;Password=", "Zu7kQ9!", ";Pooling=1"),
    ("password", "pwd=", "Zu7kQ9x", ""),
    ("password", "password: ", "12!34@56", ""),
    ("password", "password: ", "horse+staple", "\n"),
    ("password", "**Password:** ", "hunter2", ""),
    ("password", "| Пароль | ", "Xk92mm81", " |"),
    ("password", "пароль: ", "Корова77", ", не забыть"),
    ("password", "Пароль от базы: ", "Zx81kq02", "."),
    ("password", "пароль — ", "qW3rTy8", ""),
    ("password", "Пароль от wi-fi это ", "Gost2024", ""),
    ("password", "пароль: ", "482915", ""),
    ("password", "логин anna пароль ", "Zu7kQ9x", ""),
    ("password", "the password is ", "hunter2", "."),
    ("password", "The password for the staging server is ", "Tr0ub4dor&3", ""),
    ("password", "password is `", "swordfish", "`"),
    ("password", "password is «", "рыба-меч", "»"),
    ("password", "curl -u admin:", "S3cret!pw", " https://x.example"),
    ("password", "mot de passe : ", "Azerty99", ""),
    ("password", "كلمة المرور: ", "Sahara77", ""),
    ("password", "كلمة السر هي ", "Sahara77", "\n"),
    ("password", "סיסמה: ", "Shalom77", ""),
    ("password", "密码：", "abc12345", ""),
    ("password", "密码是", "abc12345", "。"),
    ("password", "パスワードは ", "sakura2026", ""),
    ("password", "비밀번호: ", "seoul2024", ""),
    ("assigned_secret", "aws_secret_access_key = ", "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY", "\n"),
    ("assigned_secret", "токен бота: ", HEX, ""),
    ("assigned_secret", 'секрет = "', RANDOM, '"'),
    ("assigned_secret", "api_key: ", "550e8400-e29b-41d4-a716-446655440000", ""),
    ("assigned_secret", "The API key is ", RANDOM, "."),
    ("assigned_secret", "X-Api-Key: ", RANDOM, "\r\n"),
    ("assigned_secret", "مفتاح: ", RANDOM, ""),
]

HARMLESS = [
    "password: required",
    "password=<your password>",
    "PASSWORD=${DB_PASSWORD}",
    "password=$DB_PASSWORD",
    "password=%DB_PASSWORD%",
    'password: "xxxxxxxx"',
    'password = os.environ["DB_PASSWORD"]',
    "password = self.password1",
    "const password = getPassword2();",
    "password: string",
    "password: str | None",
    "password=required",
    "password=get_password",
    "password: ********",
    "password: changeme",
    "password: !!!!",
    "password=",
    "password:",
    "password: a1",
    "type: 'text' | 'password' | 'textarea'",
    "token: <token>",
    "OPENAI_API_KEY=your-key-here",
    "API_KEY=OPENAI_API_KEY",
    "sk-" + "x" * 24,
    "sk-learn-pipelines-for-everyone2",
    "ghp_" + "x" * 36,
    "ghp_" + "abcdefghijklmnopqrstuvwxyz",
    "Bearer <token>",
    "Bearer $TOKEN",
    "bearer authentication is used",
    "the password is stored in the vault",
    "the password is required",
    "пароль хранится в сейфе",
    "пароль: см. в хранилище",
    "Пароль не менялся с 2024 года",
    "password reset at 2026-07-25",
    "password policy: min 12 characters",
    "password: 8-character minimum",
    "password: docs/vault.md",
    "password: ask@dana.example",
    "password_hash: $2b$12$abcdefghijklmnopqrstuv",
    "pass: 12/12 tests",
    "PASS | 1070 / 1070",
    "pass",
    "pwd: /srv/projects/x1",
    "max_tokens: 4096",
    "token budget: 20,000",
    "tokens used: 123456",
    "токены: 3.60 на символ",
    "secret: memory/secrets.md",
    "secret santa: 2026-12-24",
    "api key: stored in 1Password",
    "token: refresh-token-2026-07-plan",
    "token: aaaaaaaaaaaaaaa1",
    "token: ключ_без_латиницы_2026_и_ещё",
    "session key: agent:main:telegram:2026-07-25",
    "секретарь: Анна Петрова 2024",
    "ключ: значение",
    "token: eyJ...",
    "postgres://user:password@localhost/db",
    "postgres://${USER}:${PASS}@localhost/db",
    "https://x.example:8080/a@b",
    "docker run -u 1000:1000 image",
    f"{BEGIN}\n...\n{END}",
    f"see {BEGIN} in the docs",
    f"{BEGIN} and then {BEGIN}\n...\n{END}",
    f"{BEGIN}",
    "password: [masked password]",
]


class TestFindSecrets:
    @pytest.mark.parametrize(("kind", "secret"), FORMS)
    def test_SE_03_a_key_is_known_by_its_form(self, kind, secret):
        text = f"# Заметки\n- ключ для отчётов: {secret}\n"
        (finding,) = find_secrets(text)
        assert (finding.kind, finding.line) == (kind, 2)
        assert text[finding.start : finding.end] == secret

    @pytest.mark.parametrize(("kind", "before", "secret", "after"), NAMED)
    def test_SE_03_a_value_is_known_by_its_name(self, kind, before, secret, after):
        text = before + secret + after
        (finding,) = find_secrets(text)
        assert (finding.kind, text[finding.start : finding.end]) == (kind, secret)

    @pytest.mark.parametrize("text", HARMLESS)
    def test_placeholders_names_without_values_and_prose_are_no_findings(self, text):
        assert find_secrets(text) == ()

    def test_several_secrets_come_in_order_with_their_lines(self):
        text = f"password=hunter2\n\ntoken {JWT}\nпароль: Корова77"
        assert [(one.kind, one.line) for one in find_secrets(text)] == [
            ("password", 1),
            ("jwt", 3),
            ("password", 4),
        ]

    def test_a_form_says_more_than_a_name(self):
        (finding,) = find_secrets("password=" + FORMS[1][1])
        assert finding.kind == "github_token"

    def test_overlapping_findings_become_one_that_covers_both(self):
        text = 'password: "1 ' + FORMS[1][1][:30] + '" and more'
        (finding,) = find_secrets(text)
        assert text[finding.start : finding.end] == "1 " + FORMS[1][1][:30]
        longer = f"://a:b{FORMS[1][1][:30]}@x"
        assert mask(longer, find_secrets(longer)) == "://a:[masked connection_string b…]@x".replace("b…", "bg…")

    @pytest.mark.corpus
    def test_fewer_than_one_false_alarm_in_a_hundred_real_files(self):
        files = corpus.files()
        alarms = [one.path for one in files if find_secrets(one.text())]
        assert len(alarms) <= len(files) // 100


class TestMask:
    @pytest.mark.parametrize(("kind", "secret"), FORMS)
    def test_SE_03_a_mask_keeps_the_kind_and_at_most_two_characters(self, kind, secret):
        masked = mask(f"a {secret} b", find_secrets(f"a {secret} b"))
        assert masked.startswith(f"a [masked {kind}")
        assert secret[2:8] not in masked
        assert secret[-6:] not in masked
        assert masked.endswith("] b")

    def test_a_short_secret_shows_nothing_of_itself(self):
        assert mask("password=hunter2", find_secrets("password=hunter2")) == "password=[masked password]"

    def test_findings_may_come_in_any_order_and_overlap(self):
        one, two = Finding("a", 1, 1, 3, "<1>"), Finding("b", 1, 2, 5, "<2>")
        assert mask("0123456", [two, one]) == "0<1>56"
        assert mask("0123456", []) == "0123456"

    @given(
        st.lists(
            st.sampled_from([secret for _, secret in FORMS])
            | st.sampled_from([before + secret + after for _, before, secret, after in NAMED])
            | st.text(max_size=8)
            | st.sampled_from(["password", "пароль", " is ", ": ", "=", '"', "token", "\n", " ", "api key", "|"]),
            max_size=8,
        ),
        st.sampled_from([" ", "\n"]),
    )
    def test_a_masked_text_holds_no_secret(self, pieces, between):
        text = between.join(pieces)
        masked = mask(text, find_secrets(text))
        assert find_secrets(masked) == ()


class TestNewFindings:
    def test_what_stood_there_before_is_not_reported_again_wherever_it_moved(self):
        base = "password=hunter2\n"
        assert new_findings(base, "intro\n" + base + "more") == ()

    def test_a_new_or_a_second_secret_is_reported(self):
        (finding,) = new_findings("password=hunter2\n", "password=hunter2\npassword=hunter3\n")
        assert finding.line == 2
        (again,) = new_findings("password=hunter2\n", "password=hunter2\npassword=hunter2\n")
        assert again.line == 2
        assert len(new_findings("", "password=hunter2")) == 1


@pytest.mark.parametrize(
    "piece",
    [
        "a", "password ", "password:", "password (", 'password "', "password is ", "password=a1", "secret-",
        "token: ",
        "eyJ-", "eyJaaaaaaaaa.", "://", "://a:b", "bearer ", "sk-", "xoxb-", "\\n", BEGIN, BEGIN + "A",
        "-u a:", "&a=", "password=a&b", "pass|", "authorization: basic ",
    ],
)  # fmt: skip
def test_a_line_of_a_quarter_of_a_million_characters_is_scanned_in_time(piece):
    text = piece * (250_000 // len(piece))
    started = time.perf_counter()
    find_secrets(text)
    assert time.perf_counter() - started < MOST_SECONDS
