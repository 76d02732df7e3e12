import { t } from '../../../../contract/text.ts'

type Kind = 'computer' | 'phone' | 'program'

/** Order matters: most user agents also contain the browser names below them. */
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

/** `Firefox on Linux` */
export function describeDevice(userAgent: string | null): { label: string; kind: Kind } {
  if (!userAgent) return { label: t`Unknown device`, kind: 'program' }
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))
  if (browser && system) return { label: t`${browser} on ${system[1]}`, kind: system[2] }
  const label = browser ?? system?.[1] ?? userAgent.split(/[\s/]/)[0]
  return { label: label || t`Unknown device`, kind: system?.[2] ?? 'program' }
}
