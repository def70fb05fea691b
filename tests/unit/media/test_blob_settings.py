import dataclasses

import pytest

from stowboard.blobs.settings import BlobSettings

BUCKET = BlobSettings(
    url="s3://media.example/some/prefix/", access_key_id="AK", secret_access_key="very secret", session_token="token"
)


def test_a_folder_and_a_bucket_are_both_fine() -> None:
    BlobSettings(url="data/blobs").validate()
    BUCKET.validate()
    dataclasses.replace(BUCKET, s3_endpoint="http://127.0.0.1:9000/").validate()


def test_a_bucket_is_read_from_the_url() -> None:
    assert (BUCKET.bucket_name, BUCKET.bucket_prefix) == ("media.example", "some/prefix")
    assert BUCKET.endpoint == "https://s3.us-east-1.amazonaws.com"
    assert dataclasses.replace(BUCKET, s3_endpoint="http://127.0.0.1:9000/").endpoint == "http://127.0.0.1:9000"


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        (BlobSettings(url=""), "STOWBOARD_BLOBS_URL"),
        (BlobSettings(url="gs://bucket"), "STOWBOARD_BLOBS_URL"),
        (dataclasses.replace(BUCKET, url="s3://"), "STOWBOARD_BLOBS_URL"),
        (dataclasses.replace(BUCKET, url="s3://Upper"), "STOWBOARD_BLOBS_URL"),
        (dataclasses.replace(BUCKET, url="s3://bucket/../up"), "STOWBOARD_BLOBS_URL"),
        (dataclasses.replace(BUCKET, url="s3://bucket//x"), "STOWBOARD_BLOBS_URL"),
        (dataclasses.replace(BUCKET, s3_endpoint="host:9000"), "STOWBOARD_S3_ENDPOINT"),
        (dataclasses.replace(BUCKET, s3_endpoint="http://host/path"), "STOWBOARD_S3_ENDPOINT"),
        (dataclasses.replace(BUCKET, s3_timeout_s=0), "STOWBOARD_S3_TIMEOUT_SECONDS"),
        (dataclasses.replace(BUCKET, access_key_id=None), "AWS_ACCESS_KEY_ID"),
        (dataclasses.replace(BUCKET, secret_access_key=""), "AWS_SECRET_ACCESS_KEY"),
    ],
)
def test_what_is_wrong_is_said_with_the_name_of_the_setting(settings: BlobSettings, name: str) -> None:
    with pytest.raises(ValueError, match=name):
        settings.validate()


def test_secrets_are_not_shown() -> None:
    assert "very secret" not in repr(BUCKET)
    assert "token'" not in repr(BUCKET)
