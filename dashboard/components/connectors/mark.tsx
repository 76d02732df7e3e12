interface MarkProps {
  slug: string
  name: string
  size?: 'small' | 'normal' | 'large'
}

/** Drawn here, because providers' logos are trademarks. */
export function Mark({ slug, name, size = 'normal' }: MarkProps) {
  return (
    <span
      aria-hidden
      className={`inline-flex shrink-0 select-none items-center justify-center rounded-control font-strong ${SIZES[size]} ${TONES[toneIndex(slug)]}`}
    >
      {toInitials(name)}
    </span>
  )
}

const SIZES = { small: 'size-24 text-12', normal: 'size-32 text-13', large: 'size-48 text-16' }

export const TONES = [
  'bg-hue-1-soft text-hue-1',
  'bg-hue-2-soft text-hue-2',
  'bg-hue-3-soft text-hue-3',
  'bg-hue-4-soft text-hue-4',
  'bg-hue-5-soft text-hue-5',
  'bg-hue-6-soft text-hue-6',
  'bg-hue-7-soft text-hue-7',
  'bg-hue-8-soft text-hue-8',
]

/** FNV-1a: neighbors in the alphabet get different colors. */
export function toneIndex(slug: string): number {
  let hash = 0x811c9dc5
  for (const character of slug) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193)
  return (hash >>> 8) % TONES.length
}

/** Initials for two words or a compound, otherwise the first two letters: `GC`, `GH`, `Sl`. */
export function toInitials(name: string): string {
  const [first = '?', second] = name.split(/[\s./-]+/).filter(Boolean)
  if (second) return (initial(first) + initial(second)).toUpperCase()
  const capitals = first.match(/\p{Lu}/gu) ?? []
  return capitals.length === 2
    ? capitals.join('')
    : initial(first).toUpperCase() + [...first].slice(1, 2).join('')
}

const initial = (word: string) => [...word][0] ?? ''
