/** How urgent a task is: 3 is the most urgent, and 0 says nothing. */
export const PRIORITIES: [priority: number, name: string][] = [
  [0, 'None'],
  [1, 'Low'],
  [2, 'Medium'],
  [3, 'High'],
]

export interface Urgency {
  text: string
  tone: '' | 'warn' | 'danger'
}

/** For a badge; null if there is nothing to say. It is said in words, not by colour alone. */
export function urgencyOf(priority: number): Urgency | null {
  const name = PRIORITIES.find(([each]) => each === priority && each > 0)?.[1]
  return name ? { text: `${name} priority`, tone: priority === 3 ? 'danger' : priority === 2 ? 'warn' : '' } : null
}
