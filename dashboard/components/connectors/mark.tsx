import { HUE_TONES, hueOf, toInitials } from '../faces.tsx'

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
      className={`inline-flex shrink-0 select-none items-center justify-center rounded-control font-strong ${SIZES[size]} ${HUE_TONES[hueOf(slug)]}`}
    >
      {toInitials(name)}
    </span>
  )
}

const SIZES = { small: 'size-24 text-12', normal: 'size-32 text-13', large: 'size-48 text-16' }
