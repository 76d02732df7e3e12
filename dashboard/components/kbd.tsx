/** Keys as they are pressed: `g f` is one after the other, `mod+k` is both at once. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="inline-flex gap-4">
      {keys.split(' ').map((key, index) => (
        <kbd
          // biome-ignore lint/suspicious/noArrayIndexKey: the same key may come twice, in this order.
          key={index}
          className="inline-flex h-16 min-w-16 items-center justify-center rounded-control border border-neutral-6 px-4 font-sans text-12 text-neutral-11"
        >
          {label(key)}
        </kbd>
      ))}
    </span>
  )
}

/** Put on what speaks of keys in passing: a phone or a tablet has none. */
export const KEY_HINT = 'max-md:hidden pointer-coarse:hidden'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

const ARROWS = { Left: '←', Right: '→', Up: '↑', Down: '↓' }

const label = (key: string) =>
  key
    .replace('mod+', isApple ? '⌘' : 'Ctrl ')
    .replace('shift+', isApple ? '⇧' : 'Shift ')
    .replace(/Arrow(\w+)/, (_, way: keyof typeof ARROWS) => ARROWS[way])
    .replace('Enter', '↵')
    .replace(/^[a-z]$/, (letter) => letter.toUpperCase())
    .replace(/([⌘⇧ ])([a-z])$/, (_, before: string, letter: string) => before + letter.toUpperCase())
