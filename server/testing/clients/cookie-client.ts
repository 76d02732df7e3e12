export type Visitor = ReturnType<typeof createVisitor>

/** A browser as far as redirects and cookies go: one jar, kept per origin. */
export function createVisitor() {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: URL) => {
    const jar = jars.get(url.origin) ?? new Map<string, string>()
    jars.set(url.origin, jar)
    return jar
  }

  /** One request; where it leads is an absolute address, or null. */
  async function visit(address: string | URL) {
    const url = new URL(address)
    const jar = jarOf(url)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: cookie ? { cookie } : {} })
    for (const line of response.headers.getSetCookie()) keep(jar, line)
    const text = await response.text()
    const location = response.headers.get('location')
    return {
      status: response.status,
      text,
      location,
      leadsTo: location === null ? null : new URL(location, url).href,
    }
  }

  return {
    visit,
    /** Follows redirects until one leads to an address that begins like this, and returns that address unvisited. */
    async followTo(prefix: string, from: string | URL): Promise<string> {
      let next: string | null = String(from)
      for (let hop = 0; hop < 12 && next !== null; hop++) {
        if (next.startsWith(prefix)) return next
        next = (await visit(next)).leadsTo
      }
      throw new Error(`No redirect led to ${prefix}`)
    },
    cookieAt: (origin: string, name: string) => jars.get(origin)?.get(name),
    headersAt: (origin: string) => ({
      cookie: [...(jars.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; '),
    }),
  }
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';')
  const [name = '', value = ''] = pair.split('=')
  const isGone = /expires=Thu, 01 Jan 1970/i.test(line) || value === ''
  if (isGone) jar.delete(name)
  else jar.set(name, value)
}
