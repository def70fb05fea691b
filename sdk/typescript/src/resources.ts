/** `Stowboard.request` has every other operation. */
import type { Listing } from './listing.js'
import type {
  Asset,
  Board,
  Body,
  Caller,
  Column,
  Filters,
  Member,
  Notification,
  Schemas,
  Space,
  Task,
  Video,
} from './operations.js'
import type { CallOptions } from './transport.js'

type Deleted = Schemas['Deleted']

class Resource {
  constructor(protected readonly client: Caller) {}
}

export class Tasks extends Resource {
  /** The index of lists is made by the first call, once for each owner. */
  list(filters: Filters<'/taskapp/tasks'> = {}, options: CallOptions = {}): Listing<Task> {
    return this.client.list('/taskapp/tasks', filters, options)
  }
  /** `quick: true` reads the title as a line of quick add. */
  async create(body: Body<'/taskapp/tasks', 'post'>, options: CallOptions = {}): Promise<Task> {
    return (await this.client.request('post', '/taskapp/tasks', { ...options, body })).data
  }
  async get(id: string, options: CallOptions = {}): Promise<Task> {
    return (await this.client.request('get', '/taskapp/tasks/{task_id}', { ...options, path: { task_id: id } })).data
  }
  /** Members that are left out keep their value. */
  async update(id: string, body: Body<'/taskapp/tasks/{task_id}', 'patch'>, options: CallOptions = {}): Promise<Task> {
    const path = { task_id: id }
    return (await this.client.request('patch', '/taskapp/tasks/{task_id}', { ...options, path, body })).data
  }
  async move(
    id: string,
    body: Body<'/taskapp/tasks/{task_id}/move', 'patch'>,
    options: CallOptions = {},
  ): Promise<Task> {
    const path = { task_id: id }
    return (await this.client.request('patch', '/taskapp/tasks/{task_id}/move', { ...options, path, body })).data
  }
  async complete(id: string, options: CallOptions = {}): Promise<Task> {
    const path = { task_id: id }
    return (await this.client.request('post', '/taskapp/tasks/{task_id}/complete', { ...options, path })).data
  }
  async archive(id: string, options: CallOptions = {}): Promise<Task> {
    const path = { task_id: id }
    return (await this.client.request('post', '/taskapp/tasks/{task_id}/archive', { ...options, path })).data
  }
  async restore(id: string, options: CallOptions = {}): Promise<Task> {
    const path = { task_id: id }
    return (await this.client.request('post', '/taskapp/tasks/{task_id}/restore', { ...options, path })).data
  }
  /** Delete the task for good. */
  async delete(id: string, options: CallOptions = {}): Promise<Deleted> {
    return (await this.client.request('delete', '/taskapp/tasks/{task_id}', { ...options, path: { task_id: id } })).data
  }
}

export class Boards extends Resource {
  list(filters: Filters<'/taskapp/boards'> = {}, options: CallOptions = {}): Listing<Board> {
    return this.client.list('/taskapp/boards', filters, options)
  }
  async create(body: Body<'/taskapp/boards', 'post'>, options: CallOptions = {}): Promise<Board> {
    return (await this.client.request('post', '/taskapp/boards', { ...options, body })).data
  }
  async get(id: string, options: CallOptions = {}): Promise<Board> {
    return (await this.client.request('get', '/taskapp/boards/{board_id}', { ...options, path: { board_id: id } })).data
  }
  async columns(id: string, options: CallOptions = {}): Promise<Column[]> {
    const path = { board_id: id }
    return (await this.client.request('get', '/taskapp/boards/{board_id}/columns', { ...options, path })).data
  }
  /** Delete the board. Its tasks stay. */
  async delete(id: string, options: CallOptions = {}): Promise<Deleted> {
    const path = { board_id: id }
    return (await this.client.request('delete', '/taskapp/boards/{board_id}', { ...options, path })).data
  }
}

export class Assets extends Resource {
  list(filters: Filters<'/media/assets'> = {}, options: CallOptions = {}): Listing<Asset> {
    return this.client.list('/media/assets', filters, options)
  }
  async get(id: string, options: CallOptions = {}): Promise<Asset> {
    return (await this.client.request('get', '/media/assets/{asset_id}', { ...options, path: { asset_id: id } })).data
  }
  async update(id: string, body: Body<'/media/assets/{asset_id}', 'patch'>, options: CallOptions = {}): Promise<Asset> {
    const path = { asset_id: id }
    return (await this.client.request('patch', '/media/assets/{asset_id}', { ...options, path, body })).data
  }
  /** A URL that serves the asset for a time, whatever its visibility. */
  async url(
    id: string,
    body: Body<'/media/assets/{asset_id}/url', 'post'> = {},
    options: CallOptions = {},
  ): Promise<string> {
    const path = { asset_id: id }
    return (await this.client.request('post', '/media/assets/{asset_id}/url', { ...options, path, body })).data.url
  }
  /** Delete the asset for good. */
  async delete(id: string, options: CallOptions = {}): Promise<Deleted> {
    const path = { asset_id: id }
    return (await this.client.request('delete', '/media/assets/{asset_id}', { ...options, path })).data
  }
}

export class Videos extends Resource {
  list(filters: Filters<'/media/videos'> = {}, options: CallOptions = {}): Listing<Video> {
    return this.client.list('/media/videos', filters, options)
  }
  async get(id: string, options: CallOptions = {}): Promise<Video> {
    return (await this.client.request('get', '/media/videos/{video_id}', { ...options, path: { video_id: id } })).data
  }
  async update(id: string, body: Body<'/media/videos/{video_id}', 'patch'>, options: CallOptions = {}): Promise<Video> {
    const path = { video_id: id }
    return (await this.client.request('patch', '/media/videos/{video_id}', { ...options, path, body })).data
  }
  /** A playlist that plays for a time. `id` is the video's `providerVideoId`. */
  async url(
    id: string,
    body: Body<'/media/videos/{provider_video_id}/signed-url', 'post'> = {},
    options: CallOptions = {},
  ): Promise<string> {
    const ask = { ...options, path: { provider_video_id: id }, body }
    return (await this.client.request('post', '/media/videos/{provider_video_id}/signed-url', ask)).data.url
  }
  /** Delete the video for good. */
  async delete(id: string, options: CallOptions = {}): Promise<Deleted> {
    const path = { video_id: id }
    return (await this.client.request('delete', '/media/videos/{video_id}', { ...options, path })).data
  }
}

export class Spaces extends Resource {
  list(filters: Filters<'/spaces'> = {}, options: CallOptions = {}): Listing<Space> {
    return this.client.list('/spaces', filters, options)
  }
  async create(name: string, options: CallOptions = {}): Promise<Space> {
    return (await this.client.request('post', '/spaces', { ...options, body: { name } })).data
  }
  members(id: string, options: CallOptions = {}): Promise<Member[]> {
    const ask = { ...options, path: { space_id: id } }
    return this.client.list('/spaces/{space_id}/members', { limit: 100 }, ask).all()
  }
  /** Ask somebody to become a member: they count once they have joined. */
  async addMember(
    id: string,
    body: Body<'/spaces/{space_id}/members', 'post'>,
    options: CallOptions = {},
  ): Promise<Member> {
    const path = { space_id: id }
    return (await this.client.request('post', '/spaces/{space_id}/members', { ...options, path, body })).data
  }
  /** Take somebody out of a space, or leave it yourself. */
  async removeMember(id: string, username: string, options: CallOptions = {}): Promise<Deleted> {
    const path = { space_id: id, username }
    return (await this.client.request('delete', '/spaces/{space_id}/members/{username}', { ...options, path })).data
  }
}

export class Notifications extends Resource {
  list(filters: Filters<'/notifications'> = {}, options: CallOptions = {}): Listing<Notification> {
    return this.client.list('/notifications', filters, options)
  }
  /** Resolves to the number of notifications that were unread. */
  async read(body: Body<'/notifications/read', 'post'>, options: CallOptions = {}): Promise<number> {
    return (await this.client.request('post', '/notifications/read', { ...options, body })).data.read
  }
}
