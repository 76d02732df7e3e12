import type { ComponentProps } from 'react'

export function ToolButton({ className = '', ...rest }: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      {...rest}
      className={`flex size-32 shrink-0 items-center justify-center rounded-control text-neutral-11 transition-colors enabled:hover:bg-hover enabled:hover:text-neutral-12 disabled:opacity-40 aria-pressed:bg-neutral-12 aria-pressed:text-neutral-1 aria-pressed:hover:bg-neutral-12 aria-pressed:hover:text-neutral-1 data-active:bg-neutral-12 data-active:text-neutral-1 pointer-coarse:size-row ${className}`}
    />
  )
}
