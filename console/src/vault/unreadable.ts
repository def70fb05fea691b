/** What was sealed is damaged, of another place, or of a kind that this client does not know. */
export class Unreadable extends Error {}
