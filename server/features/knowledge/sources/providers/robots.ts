/** RFC 9309: the group with our name, else `*`; the longest matching rule decides, and `allow` wins a tie. */

export interface Robots {
  allows: (path: string) => boolean
  /** Between requests, at most 10 seconds. */
  delayMs: number
  sitemaps: string[]
}

export const ROBOT = 'atrium'
const LINES_MAX = 20_000
const RULES_MAX = 2000
/** Each is looked for in each path of the site. */
const WILDCARDS_MAX = 5
const DELAY_MS_MAX = 10_000

export const ALLOWS_ALL: Robots = { allows: () => true, delayMs: 0, sitemaps: [] }

interface Group {
  names: string[]
  rules: { allow: boolean; path: string }[]
  delayMs: number
}

export function parseRobots(text: string): Robots {
  const groups: Group[] = []
  const sitemaps: string[] = []
  let isNaming = false
  for (const line of text.split(/\r\n|\r|\n/, LINES_MAX)) {
    const [, field, value] = /^\s*([A-Za-z-]+)\s*:([^#]*)/.exec(line) ?? []
    if (field === undefined) continue
    const name = field.toLowerCase()
    const content = value!.trim()
    const group = groups.at(-1)
    if (name === 'sitemap') sitemaps.push(content)
    else if (name === 'user-agent') {
      if (group && isNaming) group.names.push(content.toLowerCase())
      else groups.push({ names: [content.toLowerCase()], rules: [], delayMs: 0 })
    } else if (group && (name === 'allow' || name === 'disallow')) {
      if (content !== '' && group.rules.length < RULES_MAX) group.rules.push(...rulesOf(name, content))
    } else if (group && name === 'crawl-delay' && /^\d{1,6}(\.\d{1,3})?$/.test(content))
      group.delayMs = Math.min(Number(content) * 1000, DELAY_MS_MAX)
    isNaming = name === 'user-agent'
  }
  const own = groups.filter(({ names }) => names.includes(ROBOT))
  const applying = own.length > 0 ? own : groups.filter(({ names }) => names.includes('*'))
  const rules = applying.flatMap((group) => group.rules)
  return {
    allows: (path) => isAllowed(rules, path),
    delayMs: Math.max(0, ...applying.map(({ delayMs }) => delayMs)),
    sitemaps,
  }
}

/** With too many wildcards, the beginning decides what is forbidden, and nothing what is allowed. */
function rulesOf(name: 'allow' | 'disallow', path: string): Group['rules'] {
  const allow = name === 'allow'
  const parts = path.split('*')
  if (parts.length <= WILDCARDS_MAX + 1) return [{ allow, path }]
  return allow ? [] : [{ allow, path: parts.slice(0, WILDCARDS_MAX + 1).join('*') }]
}

function isAllowed(rules: Group['rules'], path: string): boolean {
  let best = { length: -1, allow: true }
  for (const rule of rules) {
    if (!matches(rule.path, path)) continue
    const { length } = rule.path
    if (length > best.length || (length === best.length && rule.allow)) best = { length, allow: rule.allow }
  }
  return best.allow
}

/** `*` stands for anything, `$` for the end. Each part is found from the left, so the time is linear. */
function matches(pattern: string, path: string): boolean {
  const isAnchored = pattern.endsWith('$')
  const parts = (isAnchored ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(parts[0]!)) return false
  let at = parts[0]!.length
  const rest = parts.slice(1)
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1
    if (isLast && isAnchored) return path.length - part.length >= at && path.endsWith(part)
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return !isAnchored || at === path.length
}
