# mypy: ignore-errors
"""Tasks as a good team would write them today: FastAPI, SQLAlchemy's ORM on asyncpg, pydantic, a session per request.

It runs in the peers' environment, which has packages that ours lacks; so types are not checked here. A bearer token is
looked up by its hash in each request, every query carries the owner, and a list is a keyset page.
"""

import hashlib
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Annotated, ClassVar, Literal

from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import BigInteger, DateTime, ForeignKey, Identity, Index, select
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship, selectinload

engine = create_async_engine(os.environ["DATABASE_URL"], pool_size=20, max_overflow=0)
new_session = async_sessionmaker(engine, expire_on_commit=False)


class Base(DeclarativeBase):
    type_annotation_map: ClassVar = {datetime: DateTime(timezone=True), int: BigInteger}


class AccessToken(Base):
    __tablename__ = "access_token"
    digest: Mapped[str] = mapped_column(primary_key=True)
    owner: Mapped[str]


class TaskTag(Base):
    __tablename__ = "task_tag"
    task_id: Mapped[int] = mapped_column(ForeignKey("task.id", ondelete="CASCADE"), primary_key=True)
    tag: Mapped[str] = mapped_column(primary_key=True)


class Task(Base):
    __tablename__ = "task"
    __table_args__ = (Index("task_by_owner", "owner", "id"),)

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    owner: Mapped[str]
    title: Mapped[str]
    body: Mapped[str | None]
    status: Mapped[str]
    due_at: Mapped[datetime | None]
    reminder: Mapped[datetime | None]
    recurrence: Mapped[str | None]
    time_zone: Mapped[str]
    position: Mapped[float]
    archived: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    completed_at: Mapped[datetime | None]
    version: Mapped[int] = mapped_column(default=1)
    tag_rows: Mapped[list[TaskTag]] = relationship(lazy="raise", cascade="all, delete-orphan", order_by=TaskTag.tag)

    @property
    def tags(self) -> list[str]:
        return [row.tag for row in self.tag_rows]


class NewTask(BaseModel):
    title: str = Field(min_length=1, max_length=500)
    body: str | None = Field(default=None, max_length=100_000)
    status: Literal["todo", "in_progress", "done"] = "todo"
    due_at: datetime | None = None
    reminder: datetime | None = None
    recurrence: str | None = None
    time_zone: str = "UTC"
    tags: list[Annotated[str, Field(min_length=1, max_length=64)]] = Field(default=[], max_length=50)


class ShownTask(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: int
    title: str
    body: str | None
    status: str
    due_at: datetime | None
    reminder: datetime | None
    recurrence: str | None
    time_zone: str
    tags: list[str]
    position: float
    archived: bool
    created_at: datetime
    updated_at: datetime
    completed_at: datetime | None
    version: int


class Page(BaseModel):
    items: list[ShownTask]
    before: int | None


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    async with engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
    yield
    await engine.dispose()


app = FastAPI(lifespan=lifespan)


async def a_session() -> AsyncIterator[AsyncSession]:
    async with new_session() as session:
        yield session


Session = Annotated[AsyncSession, Depends(a_session)]


async def the_owner(
    session: Session, credentials: Annotated[HTTPAuthorizationCredentials, Depends(HTTPBearer())]
) -> str:
    digest = hashlib.sha256(credentials.credentials.encode()).hexdigest()
    owner = await session.scalar(select(AccessToken.owner).where(AccessToken.digest == digest))
    if owner is None:
        raise HTTPException(401, "The token is not valid.")
    return owner


Owner = Annotated[str, Depends(the_owner)]


@app.get("/tasks")
async def list_tasks(session: Session, owner: Owner, limit: int = 50, before: int | None = None) -> Page:
    query = select(Task).where(Task.owner == owner).options(selectinload(Task.tag_rows))
    if before is not None:
        query = query.where(Task.id < before)
    found = (await session.scalars(query.order_by(Task.id.desc()).limit(min(limit, 100) + 1))).all()
    page = found[: min(limit, 100)]
    return Page(items=page, before=page[-1].id if len(found) > len(page) else None)


@app.get("/tasks/{task_id}")
async def get_task(session: Session, owner: Owner, task_id: int) -> ShownTask:
    query = select(Task).where(Task.id == task_id, Task.owner == owner).options(selectinload(Task.tag_rows))
    task = await session.scalar(query)
    if task is None:
        raise HTTPException(404, "There is no such task.")
    return ShownTask.model_validate(task)


@app.post("/tasks", status_code=201)
async def create_task(session: Session, owner: Owner, new: NewTask) -> ShownTask:
    now = datetime.now(UTC)
    task = Task(
        **new.model_dump(exclude={"tags"}),
        owner=owner,
        position=now.timestamp(),
        created_at=now,
        updated_at=now,
        tag_rows=[TaskTag(tag=tag) for tag in sorted(set(new.tags))],
    )
    session.add(task)
    await session.commit()
    return ShownTask.model_validate(task)
