"""Build the services of media, which endpoints and jobs use beside database and blobs."""

from contextlib import AsyncExitStack
from functools import partial

from stowboard.blobs.store import BlobStore
from stowboard.core.services import Services
from stowboard.db.database import Database
from stowboard.http.handing_over import FileHandover
from stowboard.media.assets.presigned import AssetReceiver
from stowboard.media.base.classes import TransformClasses
from stowboard.media.base.links import MediaLinks
from stowboard.media.base.local_copy import remove_old_copies
from stowboard.media.base.settings import MediaSettings
from stowboard.media.base.storage import Storage
from stowboard.media.base.uses import MediaUses
from stowboard.media.damage.check import CONTENT, report_damage, tell
from stowboard.media.delivery.first_look import FirstLook
from stowboard.media.delivery.serving import BlobServing
from stowboard.media.images.derivatives import Derivatives
from stowboard.media.images.works import BackgroundWorks, ImageWorks
from stowboard.media.uploads.tus.begin import PartReceiver
from stowboard.media.uploads.tus.turns import UploadTurns
from stowboard.media.uploads.upload import UploadPurpose, UploadReceiver, UploadReceivers
from stowboard.media.videos.ffmpeg.workplace import remove_stale_folders
from stowboard.media.videos.finalize import VideoReceiver


def open_media(settings: MediaSettings, services: Services, closing: AsyncExitStack) -> None:
    """Settings must be valid. Services that need closing are put on the stack."""
    services.add(MediaSettings, settings)
    services.add(Storage, Storage(services.use(BlobStore), settings))
    services.add(MediaLinks, MediaLinks(settings.cdn_url))
    remove_old_copies(settings.work_dir)
    remove_stale_folders(settings.work_dir)
    images = ImageWorks(settings.image_slots)
    closing.push_async_callback(images.close)
    services.add(ImageWorks, images)
    patient = BackgroundWorks(max(1, settings.image_slots - 1))
    closing.push_async_callback(patient.close)
    services.add(BackgroundWorks, patient)
    services.add(TransformClasses, TransformClasses(settings.transform_classes))
    receivers: dict[UploadPurpose, UploadReceiver] = {
        UploadPurpose.ASSET: AssetReceiver(services.use(MediaUses)),
        UploadPurpose.VIDEO: VideoReceiver(),
        UploadPurpose.PART: PartReceiver(),
    }
    services.add(UploadReceivers, UploadReceivers(receivers))
    turns = UploadTurns()
    closing.push_async_callback(turns.close)
    services.add(UploadTurns, turns)
    db = services.use(Database)
    tell_of_damage = partial(tell, db, CONTENT, damaged=True)
    derivatives = Derivatives(db, services.use(BlobStore), images, settings.work_dir, tell_of_damage)
    closing.push_async_callback(derivatives.close)
    services.add(Derivatives, derivatives)
    handing_over = services.use(FileHandover)
    first_look = FirstLook(db, services.use(BlobStore), partial(report_damage, db))
    services.add(BlobServing, BlobServing(services.use(BlobStore), handing_over, first_look, settings.bucket_grace_s))
