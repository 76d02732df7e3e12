import { shownTheme } from '../../../state/theme.ts'
import { TONES, type Tone } from '../live/presence.ts'

/** What is painted in which token; a tone has its wash and its line. */
const PLAIN = {
  chosen: '--accent-text',
  line: '--neutral-8',
  ground: '--neutral-1',
  edge: '--neutral-7',
  group: '--neutral-4',
  words: '--neutral-12',
}
type Ink = keyof typeof PLAIN | `${Tone}-wash` | `${Tone}-line`

const TOKENS: [Ink, string][] = [
  ...Object.entries(PLAIN).map(([name, token]): [Ink, string] => [name as Ink, token]),
  ...TONES.flatMap((tone): [Ink, string][] => [
    [`${tone}-wash`, `--${tone}-wash`],
    [`${tone}-line`, `--${tone}-line`],
  ]),
]

let known: { theme: string; inks: Record<Ink, string> } | undefined

/** The tokens as colours of the theme that is shown: a drawing knows no variables. */
export function inksOf(paper: HTMLElement): Record<Ink, string> {
  const theme = shownTheme()
  if (known?.theme === theme) return known.inks
  const read = (token: string) => {
    paper.style.color = `var(${token})`
    return getComputedStyle(paper).color
  }
  known = {
    theme,
    inks: Object.fromEntries(TOKENS.map(([name, token]) => [name, read(token)])) as Record<Ink, string>,
  }
  return known.inks
}
