import { t } from '../../contract/text.ts'

/** `g f` is a sequence, `mod+k` a combination. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="inline-flex shrink-0 gap-4 whitespace-nowrap">
      {keys.split(' ').map((key, index) => (
        <kbd
          // biome-ignore lint/suspicious/noArrayIndexKey: a sequence can repeat a key.
          key={index}
          className="inline-flex h-16 min-w-16 items-center justify-center rounded-control border border-neutral-6 px-4 font-sans text-12 text-neutral-11"
        >
          {label(key)}
        </kbd>
      ))}
    </span>
  )
}

/** Hides keyboard hints on phones and tablets. */
export const KEY_HINT = 'max-md:hidden pointer-coarse:hidden'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

const ARROWS = { Left: '←', Right: '→', Up: '↑', Down: '↓' }

const MOD = isApple ? '⌘' : `${t`Ctrl`} `
const SHIFT = isApple ? '⇧' : `${t`Shift`} `

const label = (key: string) =>
  key
    .replace('mod+', MOD)
    .replace('shift+', SHIFT)
    .replace(/^[A-Z]$/, (letter) => `${SHIFT}${letter}`)
    .replace('Delete', () => t`Del`)
    .replace(/Arrow(\w+)/, (_, direction: keyof typeof ARROWS) => ARROWS[direction])
    .replace('Enter', '↵')
    .replace(/^[a-z]$/, (letter) => letter.toUpperCase())
    .replace(/([⌘⇧ ])([a-z])$/, (_, before: string, letter: string) => before + letter.toUpperCase())
