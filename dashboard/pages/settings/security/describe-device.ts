type Kind = 'computer' | 'phone' | 'program'

/** The order matters: most browsers also call themselves by the names further down. */
const BROWSERS: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string, Kind][] = [
  [/iPhone/, 'iPhone', 'phone'],
  [/iPad/, 'iPad', 'phone'],
  [/Android/, 'Android', 'phone'],
  [/Mac OS X|Macintosh/, 'macOS', 'computer'],
  [/Windows/, 'Windows', 'computer'],
  [/CrOS/, 'ChromeOS', 'computer'],
  [/Linux|X11/, 'Linux', 'computer'],
]

/** "Firefox on Linux": enough to know a device again. */
export function describeDevice(userAgent: string | null): { words: string; kind: Kind } {
  if (!userAgent) return { words: 'Unknown device', kind: 'program' }
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))
  if (browser && system) return { words: `${browser} on ${system[1]}`, kind: system[2] }
  const words = browser ?? system?.[1] ?? userAgent.split(/[\s/]/)[0]
  return { words: words || 'Unknown device', kind: system?.[2] ?? 'program' }
}
