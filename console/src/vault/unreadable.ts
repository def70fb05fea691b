/** A sealed text that is damaged, belongs elsewhere, or is of a kind that this client does not know. */
export class Unreadable extends Error {}
