/**
 * Times as the person has them: in the zone of their profile, else of the device, and in the format of the device's
 * region. The words are English, as the page says of itself: a device set to German shows "Mon 24 Nov, 14:05".
 */
const QUARTER_MS = 900_000
const DEVICE_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone
const formats = new Map<string, Intl.DateTimeFormat>()
const offsets = new Map<string, number>()
let zone = $state(DEVICE_ZONE)

export const LOCALE = localeOf(navigator.language)

export const personZone = (): string => zone
export const isDeviceZone = (): boolean => zone === DEVICE_ZONE

/** Null if no zone is chosen. */
export function setPersonZone(chosen: string | null): void {
  zone = chosen ?? DEVICE_ZONE
}

export function localeOf(language: string): string {
  if (/^en\b/.test(language)) return language
  return `en-${new Intl.Locale(language).maximize().region ?? 'GB'}`
}

/** Making a format costs more than painting a card, so each format is kept. */
export function formatTime(ms: number, options: Intl.DateTimeFormatOptions): string {
  return formatOf(zone, options).format(ms)
}

/** The clock on the person's wall, or of another zone, as if it showed UTC: `getUTCHours` is their hour. */
export function wallClock(ms: number, of = zone): Date {
  return new Date(ms + offsetAt(ms, of))
}

/** The moment at which that clock shows this time. A time that the clock skips means one after the change. */
export function fromWallClock(shown: number, of = zone): number {
  const guess = shown - offsetAt(shown, of)
  return shown - offsetAt(guess, of)
}

/** How far a clock is ahead of UTC. No zone changes its clock within a quarter of an hour. */
function offsetAt(ms: number, of: string): number {
  const quarter = Math.floor(ms / QUARTER_MS) * QUARTER_MS
  const key = `${of} ${quarter}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  const parts = formatOf(of, {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(quarter)
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value)
  const offset = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute')) - quarter
  offsets.set(key, offset)
  return offset
}

function formatOf(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = timeZone + JSON.stringify(options)
  let format = formats.get(key)
  if (!format) formats.set(key, (format = new Intl.DateTimeFormat(LOCALE, { ...options, timeZone })))
  return format
}
