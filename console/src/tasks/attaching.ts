/** Files that are uploaded for a task: each is attached when it has arrived, whatever is shown by then. */
import { queries } from '../api/queries'
import { getTask, patchTask, type Task } from '../api/tasks'
import { uploads } from '../media/uploads/uploads.svelte'
import { sayFailed } from '../shell/toasts.svelte'

let last: Promise<void> = Promise.resolve()

export function uploadFor(task: Task, files: Iterable<File>): void {
  uploads.add(files, task.spaceId, (id) => attachLater(task.id, id))
}

/** Files are attached one after the other, each behind the present ones. */
function attachLater(taskId: string, id: string): void {
  last = last
    .then(() => attach(taskId, id))
    .catch((error: unknown) => sayFailed('Uploaded, but not attached', error, () => attachLater(taskId, id)))
}

async function attach(taskId: string, id: string): Promise<void> {
  const ids = (await getTask(taskId)).attachments.map((each) => each.id)
  if (!ids.includes(id)) queries.setQueryData(['task', taskId], await patchTask(taskId, { attachments: [...ids, id] }))
}
