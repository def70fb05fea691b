"""Settings: where they come from, and what a wrong one says."""

from pathlib import Path

import pytest

from stowboard.catalogue import QUEUES
from stowboard.core.settings.sources import WrongSetting
from stowboard.settings import SETTINGS, load_settings
from support.servers.command import sentence, stowboard

ON_S3 = {"STOWBOARD_BLOBS_URL": "s3://bucket", "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}
#: For each setting, values that it cannot have. What is not here is a text that only its use can show to be wrong.
WRONG: dict[str, list[str]] = {
    "port": ["0", "65536", "-1", "http", "80.5"],
    "workers": ["0", "257", "two", "-1"],
    "public_url": ["stow.example.org", "ftp://a", "https://", "https://a/path", "https://a?x", "javascript:alert(1)"],
    "trusted_proxies": ["proxy", "10.0.0.1/8", "10.0.0.0/33", "10.0.0.1,x"],
    "requests_at_once": ["0", "100001", "many"],
    "requests_at_once_per_address": ["0", "100001", "many"],
    "answers_at_once": ["0", "100001", "many"],
    "answers_at_once_per_address": ["0", "100001", "many"],
    "connections_per_address": ["7", "100001", "many"],
    "body_memory_mib": ["15", "-1", "much"],
    "database_url": ["mysql://a/b", "sqlite://x", "postgresql://host", "sqlite:///", "data.db"],
    "database_pool_size": ["0", "1001", "many"],
    "blobs_url": ["ftp://a", "s3://", "s3://UPPER", "s3://b/..", "https://bucket"],
    "s3_endpoint": ["localhost:9000", "http://a/path", "ftp://a"],
    "s3_timeout_seconds": ["0", "601", "soon"],
    "valkey_url": ["localhost:6379", "http://localhost", "redis://", "redis://localhost/x"],
    "bootstrap_token": ["short", "x" * 513, "with space " * 3, "ünicode" * 5],
    "rate_limit_per_minute": ["0", "-1", "6000001", "fast"],
    "rate_limit_burst": ["0", "10001", "x"],
    "signing_keys": ["short", "k" * 31, ",".join(["k" * 32] * 3)],
    "sign_ins_per_minute": ["0", "100001", "many"],
    "oauth_registration": ["maybe"],
    "oauth_registrations_per_day": ["0", "x"],
    "password_sign_in": ["maybe", "false"],
    "space_invites": ["everybody"],
    "oidc_issuer": [
        "accounts.example.com",
        "ftp://a",
        "https://",
        "https://a?x",
        "https://a#b",
        "https://u@a",
        "https://a",
    ],
    "oidc_client_id": ["without an issuer"],
    "oidc_client_secret": ["without an issuer", "x" * 2001, "\t"],
    "oidc_client_secret_file": ["/nowhere/secret"],
    "oidc_scopes": ["profile email", 'openid "', ","],
    "oidc_label": ["x" * 41, " ", "without an issuer"],
    "oidc_sign_up": ["everybody"],
    "oidc_admin": ["groups", "=admins", "groups=", "groups=without-an-issuer"],
    "agents_delete": ["maybe", "2"],
    "audit_days": ["0", "36501", "long"],
    "security_contact": ["somebody", "http://a", "a@", "@b", "a b@c.d", "https://", "javascript:alert(1)"],
    "digest_key": ["short", "k" * 31, ",".join(["k" * 32] * 3)],
    "secret_key": ["short", "k" * 31],
    "secret_key_file": ["/nowhere/key"],
    "metrics_port": ["65536", "-1", "x"],
    "log_level": ["verbose", "trace"],
    "log_format": ["xml"],
    "access_log": ["maybe", "2"],
    "jobs_in_server": ["maybe"],
    "job_slots": ["0", "65", "x"],
    "event_days": ["3", "3661", "x"],
    "streams_per_token": ["0", "2049", "x"],
    "trash_days": ["0", "3661", "x"],
    "history_days": ["0", "3661", "x"],
    "version_keep": ["-1", "101", "x"],
    "version_days": ["0", "3661", "x"],
    "push_hosts": ["https://push.example.org", "push.example.org:8080", "push.example.org, *", "*example.org"],
    "notify_hosts": ["https://ntfy.example.org", "ntfy.example.org/topic", "[::1]"],
    "smtp_url": [
        "localhost",
        "http://a",
        "smtp://",
        "smtp://a/path",
        "smtp://a?tls=maybe",
        "smtps://a?tls=none",
        "smtp://a",
    ],
    "mail_from": ["somebody", "a@b", "a@b.c, d@e.f", "A <a@b.c>", "@b.c"],
    "outgoing_allow": ["home", "10.0.0.1/8", "10.0.0.0/33", "192.168.0.0/16,::zz/8"],
    "cdn_url": ["cdn.example.org", "https://a/path", "ftp://a"],
    "cdn_redirect": ["maybe"],
    "cdn_redirect_seconds": ["59", "3601", "soon"],
    "accel_redirect": ["files", "/", "/a/", "//a", "/a b", "/a/../b", "https://a/b", "/no-proxy-is-trusted"],
    "transform_classes": ["hero", "hero=0", "hero=9000", "Hero=10x10", "a=1x2x3", "hero=1600x500,bad", "hero=-1"],
    "max_upload_mib": ["0", "-1", "much"],
    "max_video_mib": ["0", "-1", "much"],
    "upload_from_url": ["maybe"],
    "direct_writes": ["maybe"],
    "upload_from_url_seconds": ["0", "86401", "soon"],
    "storage_reserve_mib": ["-1", "much"],
    "storage_limit_mib": ["0", "-1", "much"],
    "storage_limit_per_owner_mib": ["0", "-1", "much"],
    "image_slots": ["0", "65", "x"],
    "strip_location": ["maybe"],
    "video_slots": ["-1", "65", "x"],
    "video_encoder": ["h265", "h264_qsv", "none"],
    "scrub_mib_per_second": ["-1", "10001", "x"],
    "bucket_grace_seconds": ["-1", "604801", "x"],
    "granian_shortcuts": ["maybe"],
    "drain_seconds": ["-1", "601", "x"],
    "stop_seconds": ["0", "601", "x"],
}
FREE_TEXT = {"oauth_client_documents", "secret_key_file", "data_dir", "host", "metrics_host", "ffmpeg"}


def test_every_setting_has_values_that_are_wrong() -> None:
    assert set(WRONG) | FREE_TEXT == {setting.name for setting in SETTINGS}


@pytest.mark.parametrize("name", list(WRONG))
def test_a_wrong_value_is_refused_by_the_name_of_its_setting(name: str, tmp_path: Path) -> None:
    variable = f"STOWBOARD_{name.upper()}"
    for value in WRONG[name]:
        with pytest.raises(WrongSetting, match=variable) as refusal:
            load_settings({}, {**(ON_S3 if name.startswith("s3_") else {}), variable: value})
        assert str(refusal.value).endswith(".")
        if name in ("bootstrap_token", "signing_keys", "digest_key", "secret_key"):
            assert value not in str(refusal.value)
        file = tmp_path / "settings.toml"
        file.write_text(f"{name} = '{value}'")
        with pytest.raises(WrongSetting, match=rf"{name} in {file}|{variable}"):
            load_settings({}, ON_S3 if name.startswith("s3_") else {}, file)


def test_an_option_wins_over_the_environment_over_the_file_over_the_default(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    keys = ["a" * 32, "b" * 32]
    file.write_text(f"port = 1001\nworkers = 3\naccess_log = false\nsigning_keys = {keys}")
    environment = {"STOWBOARD_PORT": "1002", "STOWBOARD_WORKERS": "4", "STOWBOARD_CONFIG": str(file)}
    settings = load_settings({"port": 1003, "host": None}, environment)
    assert (settings.port, settings.workers, settings.access_log) == (1003, 4, False)
    assert (settings.host, settings.stop_seconds) == ("127.0.0.1", 20)
    assert settings.keys.signing_keys == tuple(keys)


def test_a_setting_that_is_empty_in_the_environment_is_not_given() -> None:
    assert load_settings({}, {"STOWBOARD_PORT": "", "STOWBOARD_PUBLIC_URL": ""}).port == 8080


def test_a_proxy_sends_files_of_a_disk_alone() -> None:
    given = {"STOWBOARD_ACCEL_REDIRECT": "/files", "STOWBOARD_TRUSTED_PROXIES": "127.0.0.1"}
    assert load_settings({}, given).handing_over.location == "/files"
    with pytest.raises(WrongSetting, match="STOWBOARD_ACCEL_REDIRECT is for files on a disk"):
        load_settings({}, given | ON_S3)
    with pytest.raises(WrongSetting, match="STOWBOARD_TRUSTED_PROXIES"):
        load_settings({}, {"STOWBOARD_ACCEL_REDIRECT": "/files"})


def test_a_bucket_needs_keys() -> None:
    with pytest.raises(WrongSetting, match="AWS_ACCESS_KEY_ID"):
        load_settings({}, {"STOWBOARD_BLOBS_URL": "s3://bucket"})


@pytest.mark.parametrize(
    ("words", "settings", "said"),
    [
        (("serve",), {"STOWBOARD_PORT": "http"}, "STOWBOARD_PORT must be a whole number"),
        (("serve",), {"STOWBOARD_PORTS": "1"}, "STOWBOARD_PORTS is not a setting. Is STOWBOARD_PORT meant?"),
        (("serve",), {"STOWBOARD_ZZZ": "1"}, "docs/operations.md"),
        (("serve", "--port", "70000"), {}, "--port must be 1 to 65535"),
        (("serve", "--workers", "0"), {}, "--workers must be 1 to 256"),
        (("serve", "--config", "none.toml"), {}, "none.toml cannot be read: No such file"),
        (("serve", "--config", "broken.toml"), {}, "broken.toml is not TOML"),
        (("serve", "--config", "unknown.toml"), {}, "'prot', which is not a setting. Is port meant?"),
        (("serve",), {"STOWBOARD_CONFIG": "wrong.toml"}, "port in wrong.toml must be a whole number"),
        (("upgrade",), {"STOWBOARD_DATABASE_URL": "mysql://x/y"}, "STOWBOARD_DATABASE_URL must be"),
        (("token", "list"), {"STOWBOARD_LOG_LEVEL": "loud"}, "STOWBOARD_LOG_LEVEL must be one of debug"),
    ],
)
def test_every_command_stops_at_a_wrong_setting_with_a_sentence(
    tmp_path: Path, words: tuple[str, ...], settings: dict[str, str], said: str
) -> None:
    (tmp_path / "broken.toml").write_text("port =")
    (tmp_path / "unknown.toml").write_text("prot = 1")
    (tmp_path / "wrong.toml").write_text("port = 'eighty'")
    assert said in sentence(stowboard(tmp_path, *words, **settings))
    assert not (tmp_path / "data").exists()


def test_settings_of_jobs_name_queues_that_there_are() -> None:
    assert set(load_settings({}, {}).jobs.slots) <= set(QUEUES)
