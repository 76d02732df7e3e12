import { LoaderCircle } from 'lucide-react'
import type { ComponentProps } from 'react'

type Look = 'primary' | 'plain' | 'quiet' | 'danger'
type Size = 'normal' | 'small' | 'icon' | 'small-icon'

interface ButtonProps extends ComponentProps<'button'> {
  look?: Look
  size?: Size
  busy?: boolean
}

export function Button({
  look = 'plain',
  size = 'normal',
  busy,
  className = '',
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
      className={`${buttonClass(look, size)} ${className}`}
    >
      {busy && <LoaderCircle aria-hidden className="icon motion-safe:animate-spin" />}
      {children}
    </button>
  )
}

/** For links that look like buttons. */
export const buttonClass = (look: Look = 'plain', size: Size = 'normal') =>
  `inline-flex shrink-0 items-center justify-center whitespace-nowrap rounded-control font-medium transition-colors disabled:opacity-50 ${LOOKS[look]} ${SIZES[size]}`

const LOOKS: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  plain: 'border border-neutral-7 bg-card text-neutral-12 hover:border-neutral-8',
  quiet: 'text-neutral-11 hover:bg-hover hover:text-neutral-12',
  danger: 'bg-danger text-on-danger hover:bg-danger-strong',
}

const SIZES: Record<Size, string> = {
  normal: 'h-32 gap-8 px-12 text-13',
  small: 'h-24 gap-4 px-8 text-12',
  icon: 'size-32',
  'small-icon': 'size-24',
}
