import { useQuery } from '@tanstack/react-query'
import {
  Cloud,
  FolderSync,
  Globe,
  Hash,
  type LucideIcon,
  Mail,
  MessagesSquare,
  Phone,
  Send,
} from 'lucide-react'
import { HUE_TONES, hueOf, toInitials } from '../faces.tsx'
import type { BrandIcon } from './brand-icons.ts'

interface MarkProps {
  slug: string
  name: string
  size?: 'small' | 'normal' | 'large'
}

/** An app's square with its logo, a figure where the icon set has no logo, or its letters. */
export function Mark({ slug, name, size = 'normal' }: MarkProps) {
  const icon = useBrandIcon(slug)
  const { box, logo } = SIZES[size]
  if (icon) {
    return (
      <span
        aria-hidden
        className={`inline-flex shrink-0 items-center justify-center rounded-square bg-card shadow-card ${box}`}
      >
        <svg
          aria-hidden
          viewBox="0 0 24 24"
          className={`${logo} ${isGray(icon.hex) ? 'fill-neutral-12' : ''}`}
        >
          <path d={icon.path} style={isGray(icon.hex) ? undefined : { fill: toneOf(icon.hex) }} />
        </svg>
      </span>
    )
  }
  const figure = FIGURES[slug]
  if (figure) {
    const { icon: Figure, hue } = figure
    return (
      <span
        aria-hidden
        className={`inline-flex shrink-0 items-center justify-center rounded-square bg-card shadow-card ${box} ${hue}`}
      >
        <Figure className={logo} strokeWidth={2.25} />
      </span>
    )
  }
  return (
    <span
      aria-hidden
      className={`inline-flex shrink-0 select-none items-center justify-center rounded-square font-strong ${box} ${HUE_TONES[hueOf(slug)]}`}
    >
      {toInitials(name)}
    </span>
  )
}

/** What the app is for, not its trademark, on the same ground as the logos. */
const FIGURES: Record<string, { icon: LucideIcon; hue: string }> = {
  http: { icon: Globe, hue: 'text-hue-8' },
  'microsoft-teams': { icon: MessagesSquare, hue: 'text-hue-5' },
  outlook: { icon: Mail, hue: 'text-hue-3' },
  salesforce: { icon: Cloud, hue: 'text-hue-3' },
  sendgrid: { icon: Send, hue: 'text-hue-1' },
  sharepoint: { icon: FolderSync, hue: 'text-hue-4' },
  slack: { icon: Hash, hue: 'text-hue-7' },
  twilio: { icon: Phone, hue: 'text-hue-2' },
}

const SIZES = {
  small: { box: 'size-24 text-12', logo: 'w-12' },
  normal: { box: 'size-32 text-13', logo: 'w-16' },
  large: { box: 'size-48 text-16', logo: 'w-24' },
}

/** Undefined until the icons have loaded, and for names without one. */
export function useBrandIcon(name: string): BrandIcon | undefined {
  return useQuery({
    queryKey: ['brand-icons'],
    queryFn: async () => (await import('./brand-icons.ts')).BRAND_ICONS,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  }).data?.[name]
}

const channels = (hex: string) => [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))

/** Black and nearly black logos take the text's color, so that they show in the dark. */
function isGray(hex: string): boolean {
  const [red = 0, green = 0, blue = 0] = channels(hex)
  return Math.max(red, green, blue) < 100 && Math.max(red, green, blue) - Math.min(red, green, blue) < 50
}

/** Dark brand colors are lighter in the dark. */
const toneOf = (hex: string) => `light-dark(#${hex}, color-mix(in oklab, #${hex} 75%, white))`
