import { shownTheme } from '../../../state/theme.ts'
import { TONES, type Tone } from '../live/presence.ts'

/** The design token of each painted color; every tone has a wash and a line. */
const PLAIN = {
  selected: '--accent-text',
  line: '--neutral-8',
  surface: '--neutral-1',
  edge: '--neutral-7',
  group: '--neutral-4',
  text: '--neutral-12',
}
type ColorName = keyof typeof PLAIN | `${Tone}-wash` | `${Tone}-line`

const TOKENS: [ColorName, string][] = [
  ...Object.entries(PLAIN).map(([name, token]): [ColorName, string] => [name as ColorName, token]),
  ...TONES.flatMap((tone): [ColorName, string][] => [
    [`${tone}-wash`, `--${tone}-wash`],
    [`${tone}-line`, `--${tone}-line`],
  ]),
]

let cached: { theme: string; colors: Record<ColorName, string> } | undefined

/** The tokens resolved for the current theme: a canvas context does not accept CSS variables. */
export function canvasColors(element: HTMLElement): Record<ColorName, string> {
  const theme = shownTheme()
  if (cached?.theme === theme) return cached.colors
  const read = (token: string) => {
    element.style.color = `var(${token})`
    return getComputedStyle(element).color
  }
  cached = {
    theme,
    colors: Object.fromEntries(TOKENS.map(([name, token]) => [name, read(token)])) as Record<
      ColorName,
      string
    >,
  }
  return cached.colors
}
