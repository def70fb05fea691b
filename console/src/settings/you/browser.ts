/** A browser's name as people know it, from its User-Agent. */
const BROWSERS: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

export function browserOf(userAgent: string): string {
  const named = (list: [RegExp, string][]) => list.find(([sign]) => sign.test(userAgent))?.[1]
  const browser = named(BROWSERS)
  const system = named(SYSTEMS)
  if (!browser) return userAgent.split(' ')[0] || 'An unknown program'
  return system ? `${browser} on ${system}` : browser
}
