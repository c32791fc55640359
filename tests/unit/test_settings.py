"""Settings: values come from variables, or from files that variables name."""

import pytest

from server.settings import Settings, SettingsError, load_settings


def test_a_value_may_lie_in_a_file(tmp_path):
    secret = tmp_path / "redis"
    secret.write_text("redis://:secret@host:6379/0\n")
    assert load_settings({"TURNLOG_REDIS_FILE": str(secret), "TURNLOG_PORT": "9"}) == Settings(
        redis="redis://:secret@host:6379/0", port=9
    )


def test_a_file_that_is_not_there_or_a_value_given_twice_is_told(tmp_path):
    with pytest.raises(SettingsError, match=r"^TURNLOG_REDIS_FILE: .* cannot be read\.$"):
        load_settings({"TURNLOG_REDIS_FILE": str(tmp_path / "none")})
    with pytest.raises(SettingsError, match="are both set"):
        load_settings({"TURNLOG_REDIS_FILE": "x", "TURNLOG_REDIS": "y"})
    with pytest.raises(SettingsError, match="TURNLOG_REDDIS_FILE is no setting"):
        load_settings({"TURNLOG_REDDIS_FILE": "x"})
