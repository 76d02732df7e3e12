import type { ComponentProps } from 'react'

export function ToolButton({ className = '', ...rest }: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      {...rest}
      className={`flex size-32 shrink-0 items-center justify-center rounded-control text-neutral-11 transition-colors enabled:hover:bg-hover enabled:hover:text-neutral-12 disabled:opacity-40 aria-pressed:bg-accent aria-pressed:text-on-accent aria-pressed:hover:bg-accent-strong aria-pressed:hover:text-on-accent data-active:bg-accent data-active:text-on-accent pointer-coarse:size-row ${className}`}
    />
  )
}
