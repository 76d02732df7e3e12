import { memo, useEffect, useRef, useState } from 'react'
import type { Look, Token } from './highlight.ts'

/** Longer code stays plain: its elements would block typing. */
const COLORED_UNITS_MAX = 60_000
/** A streaming block gets its colors in steps; only complete lines take part. */
const STEP_MS = 250

interface ColoredCodeProps {
  text: string
  /** A grammar's name. */
  grammar: string | null
  /** False while more lines may follow. */
  isClosed?: boolean
}

/**
 * Colors code once its grammar has loaded. While text is appended, the colored part stays as it is and the rest is plain
 * until the next step, so nothing flickers and each word costs nothing.
 */
export const ColoredCode = memo(function ColoredCode({ text, grammar, isClosed = true }: ColoredCodeProps) {
  const [colored, setColored] = useState<Colored | null>(() => recentlyColored(grammar, text))
  const latest = useRef({ text, grammar, isClosed })
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const isDone = colored?.text === text && colored.grammar === grammar
  useEffect(() => {
    latest.current = { text, grammar, isClosed }
    if (isDone || timer.current !== null || grammar === null || text.length > COLORED_UNITS_MAX) return
    timer.current = setTimeout(
      async () => {
        timer.current = null
        const now = latest.current
        const source = now.isClosed ? now.text : now.text.slice(0, now.text.lastIndexOf('\n') + 1)
        const found = now.grammar === null ? null : await color(now.grammar, source)
        if (found) setColored(found)
      },
      isClosed ? 0 : STEP_MS,
    )
  }, [text, grammar, isClosed, isDone])
  useEffect(
    () => () => {
      clearTimeout(timer.current ?? undefined)
      timer.current = null
    },
    [],
  )
  if (!colored || colored.grammar !== grammar || !text.startsWith(colored.text)) return text
  return (
    <>
      <Tokens tokens={colored.tokens} />
      {text.slice(colored.text.length)}
    </>
  )
})

const Tokens = memo(function Tokens({ tokens }: { tokens: Token[] }) {
  return tokens.map(([text, look], index) =>
    look === null ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity but their index.
      <span key={index} className={TONES[look]}>
        {text}
      </span>
    ),
  )
})

const TONES: Record<Look, string> = {
  keyword: 'text-hue-5',
  string: 'text-hue-6',
  number: 'text-hue-2',
  comment: 'text-neutral-10',
  name: 'text-hue-3',
  type: 'text-hue-1',
  attribute: 'text-hue-4',
  addition: 'text-good-text',
  deletion: 'text-bad-text',
}

interface Colored {
  grammar: string
  text: string
  tokens: Token[]
}

/** Rows of a long conversation come back into view with their colors. */
const RECENT_MAX = 100
const recent = new Map<string, Colored>()

const recentlyColored = (grammar: string | null, text: string) => recent.get(`${grammar}\n${text}`) ?? null

async function color(grammar: string, text: string): Promise<Colored | null> {
  const known = recentlyColored(grammar, text)
  if (known) return known
  try {
    const { highlightApart } = await import('./highlight-apart.ts')
    const tokens = await highlightApart(grammar, text)
    if (!tokens) return null
    const colored = { grammar, text, tokens }
    recent.set(`${grammar}\n${text}`, colored)
    if (recent.size > RECENT_MAX) recent.delete(recent.keys().next().value!)
    return colored
  } catch {
    // Without a connection the grammar doesn't load: the code stays plain.
    return null
  }
}
