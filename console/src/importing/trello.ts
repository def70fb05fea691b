/** A board of Trello, as its menu exports it: lists become columns, cards tasks with their checklists and comments. */
import { many } from '../shell/words'
import { type Foreign, instantOf, linksTo, numberOf, paragraphs, type Plan, planned } from './plan'
import { type PlannedComment, type PlannedFile, textOf } from './plan'

export function readTrello(content: Foreign): Plan {
  const lists = byPlace(content.lists)
  const listOf = new Map(lists.map((list) => [list.id, list]))
  const checklists = new Map((content.checklists ?? []).map((one: Foreign) => [one.id, one]))
  const people = new Map<Foreign, string>((content.members ?? []).map((one: Foreign) => [one.id, nameOf(one)]))
  const comments = commentsIn(content.actions ?? [])
  const cards = byPlace(content.cards)
  const tasks = cards.map((card) => {
    const list = listOf.get(card.idList)
    const own = (card.idChecklists ?? []).flatMap((id: Foreign) => checklists.get(id) ?? [])
    const files: PlannedFile[] = (card.attachments ?? [])
      .filter((one: Foreign) => one.url)
      .map(({ name, url }: Foreign) => ({ name: textOf(name || url), url: textOf(url) }))
    return planned(`trello:${textOf(card.id)}`, textOf(card.name), {
      body: paragraphs(textOf(card.desc ?? ''), ...linksTo(files)),
      done: Boolean(card.dueComplete),
      archived: Boolean(card.closed || list?.closed),
      dueAt: instantOf(card.due),
      tags: (card.labels ?? []).map(({ name, color }: Foreign) => textOf(name || color || '')),
      column: list ? textOf(list.name) : null,
      checklist: own.flatMap((one: Foreign) => itemsOf(one, own.length > 1)),
      comments: comments.get(card.id) ?? [],
      people: (card.idMembers ?? []).map((id: Foreign) => people.get(id) ?? textOf(id)),
      files,
    })
  })
  const lacking = cards.map((card, at) => numberOf(card.badges?.comments) - tasks[at]!.comments.length)
  const missing = lacking.reduce((sum, count) => sum + Math.max(0, count), 0)
  const fields = cards.filter((card) => card.customFieldItems?.length).length
  const left = []
  if (missing) left.push(`Not in the file, which has the newest thousand actions: ${many(missing, 'comment')}.`)
  if (fields) left.push(`Not taken over: custom fields of ${many(fields, 'card')}.`)
  const columns = lists.filter((list) => !list.closed).map((list) => textOf(list.name))
  return { boards: [{ source: `trello:${textOf(content.id)}`, name: textOf(content.name), columns, tasks }], left }
}

const byPlace = (some: Foreign): Foreign[] => some.toSorted((a: Foreign, b: Foreign) => (a.pos ?? 0) - (b.pos ?? 0))

/** The items; if the card has several checklists, each item begins with the name of its list. */
function itemsOf({ name, checkItems }: Foreign, isOneOfSeveral: boolean): [string, boolean][] {
  const lead = isOneOfSeveral ? `${textOf(name || 'Checklist')}: ` : ''
  return byPlace(checkItems ?? []).map((item) => [lead + textOf(item.name), item.state === 'complete'])
}

/** Comments by card, oldest first; Trello has the newest first. */
function commentsIn(actions: Foreign): Map<Foreign, PlannedComment[]> {
  const found = new Map<Foreign, PlannedComment[]>()
  for (const { type, date, data, memberCreator } of actions.toReversed()) {
    if (type !== 'commentCard' || !data?.text || !data.card) continue
    const own = found.get(data.card.id) ?? []
    own.push({ author: nameOf(memberCreator ?? {}), body: textOf(data.text), at: instantOf(date) })
    found.set(data.card.id, own)
  }
  return found
}

const nameOf = ({ username, fullName }: Foreign): string => textOf(username || fullName || 'somebody')
