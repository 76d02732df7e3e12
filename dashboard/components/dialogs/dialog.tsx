import { X } from 'lucide-react'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Button } from '../button.tsx'

interface DialogProps {
  title: ReactNode
  onClose: () => void
  children: ReactNode
  /** Escape and outside clicks don't close it, so a secret shown once isn't lost. */
  locked?: boolean
  size?: 'small' | 'normal' | 'wide'
}

/** The native element traps and restores focus. */
export function Dialog({ title, onClose, children, locked, size = 'normal' }: DialogProps) {
  const titleId = useId()
  return (
    <Modal
      labelledBy={titleId}
      onClose={onClose}
      locked={locked}
      className={`mx-auto mt-dialog-top max-sm:mt-auto max-sm:mb-0 max-sm:max-w-full ${WIDTHS[size]}`}
    >
      <header className="sticky top-0 z-10 flex items-center justify-between gap-8 bg-float pt-16 pr-12 pb-8 pl-24">
        <h2 id={titleId} className="min-w-0 break-words text-16 font-strong">
          {title}
        </h2>
        {!locked && (
          <Button look="quiet" size="icon" aria-label="Close" onClick={onClose}>
            <X aria-hidden className="icon" />
          </Button>
        )}
      </header>
      <div className="px-24 pb-24">{children}</div>
    </Modal>
  )
}

const WIDTHS = { small: 'sm:max-w-form', normal: 'sm:max-w-dialog', wide: 'sm:max-w-reading' }

/** Focusing a sticky button doesn't scroll. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <div className="*:-scroll-mb-dialog-footer sticky bottom-0 -mx-24 -mb-24 flex h-dialog-footer items-center justify-end gap-8 border-neutral-6 border-t bg-float px-24">
      {children}
    </div>
  )
}

const FIELDS = 'form :is(input:not([type=hidden], [type=file]), select, textarea):enabled'

interface ModalProps {
  labelledBy?: string
  label?: string
  onClose: () => void
  locked?: boolean
  full?: boolean
  className: string
  children: ReactNode
}

/** Focuses the element with `data-autofocus`, otherwise the first field. */
export function Modal({ labelledBy, label, onClose, locked, full, className, children }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null)

  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    // Only the top dialog shows a backdrop.
    const beneath = document.querySelector<HTMLElement>('dialog[open]:not([data-beneath])')
    if (beneath) {
      beneath.dataset.beneath = ''
      dialog.dataset.above = ''
    }
    dialog.showModal()
    const field =
      dialog.querySelector<HTMLElement>('[data-autofocus]') ?? dialog.querySelector<HTMLElement>(FIELDS)
    field?.focus()
    return () => {
      dialog.close()
      delete beneath?.dataset.beneath
    }
  }, [])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on the backdrop is a convenience; Escape closes it by keyboard.
    <dialog
      ref={ref}
      aria-labelledby={labelledBy}
      aria-label={label}
      {...{ closedby: locked ? 'none' : 'closerequest' }}
      onCancel={(event) => {
        event.preventDefault()
        // Otherwise `close` follows.
        if (!locked && event.cancelable) onClose()
      }}
      // Without a click or key since the last attempt to close, Chromium closes it anyway.
      onClose={({ target, currentTarget }) => {
        if (target !== currentTarget || currentTarget.open) return
        currentTarget.showModal()
        onClose()
      }}
      onClick={(event) => {
        if (!locked && event.target === event.currentTarget) onClose()
      }}
      className={`animate-rise w-full overflow-y-auto overscroll-contain scroll-pt-48 scroll-pb-dialog-footer bg-float p-0 text-left text-neutral-12 shadow-float ${full ? 'm-0 h-dvh max-h-dvh' : 'max-h-panel-max rounded-panel'} ${className}`}
    >
      {children}
    </dialog>
  )
}
