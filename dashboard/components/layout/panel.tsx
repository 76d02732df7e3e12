import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { isTyping, useLayer } from '../../state/layers.ts'
import { Button } from '../button.tsx'
import { Name } from '../name.tsx'

interface PanelProps {
  title: string
  subtitle?: ReactNode
  /** Buttons before the one that closes it. */
  actions?: ReactNode
  /** Below the title, which then takes the whole width. */
  note?: ReactNode
  /** False for a panel the user didn't open. */
  takesFocus?: boolean
  /** The content fills the panel and scrolls itself, such as a conversation. */
  fills?: boolean
  onClose: () => void
  children: ReactNode
}

export function Panel(props: PanelProps) {
  const { title, subtitle, actions, note, takesFocus = true, fills, onClose, children } = props
  const ref = useRef<HTMLElement>(null)
  // In a field, Escape leaves the field first, so it doesn't discard typed text.
  useLayer(({ target }) => (isTyping(target) ? false : onClose()))
  useEffect(() => {
    if (takesFocus) ref.current?.focus({ preventScroll: true })
  }, [takesFocus])
  return (
    <aside
      ref={ref}
      tabIndex={-1}
      aria-label={title}
      data-panel
      className="animate-slide absolute inset-y-0 right-0 z-20 flex w-full flex-col border-neutral-6 bg-card outline-none md:w-panel md:border-l md:shadow-float lg:static lg:shrink-0 lg:shadow-none"
    >
      <header className="flex shrink-0 items-center gap-12 border-neutral-6 border-b py-8 pr-8 pl-16">
        {note ? (
          <div className="min-w-0 flex-1">
            <h2 className="line-clamp-2 font-strong">
              <Name>{title}</Name>
            </h2>
            <p className="truncate text-12 text-neutral-11">{note}</p>
          </div>
        ) : (
          <h2 className="min-w-0 truncate font-strong" title={title}>
            <Name>{title}</Name>
          </h2>
        )}
        <div className={`${note ? 'shrink-0' : 'min-w-0 flex-1 truncate'} text-13 text-neutral-11`}>
          {subtitle}
        </div>
        <span className="flex shrink-0 gap-4">
          {actions}
          <Button look="quiet" size="icon" aria-label="Close panel" onClick={onClose}>
            <X aria-hidden className="icon" />
          </Button>
        </span>
      </header>
      <div className={`min-h-0 flex-1 ${fills ? 'flex flex-col' : 'overflow-y-auto overscroll-contain'}`}>
        {children}
      </div>
    </aside>
  )
}

export function PanelSection({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className="border-neutral-6 border-b px-16 py-16 last:border-b-0">
      {title && <h3 className="mb-12 font-medium text-12 text-neutral-11">{title}</h3>}
      {children}
    </section>
  )
}
