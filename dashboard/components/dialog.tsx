import { X } from 'lucide-react'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'

interface DialogProps {
  title: string
  onClose: () => void
  children: ReactNode
  /** Only its own buttons close it, so that something shown once is not lost by a stray key or click. */
  locked?: boolean
  small?: boolean
}

/** A question over whatever was happening. The native element keeps focus inside and gives it back afterwards. */
export function Dialog({ title, onClose, children, locked, small }: DialogProps) {
  const titleId = useId()
  return (
    <Modal
      labelledBy={titleId}
      onClose={onClose}
      locked={locked}
      className={`mx-auto mt-drop max-sm:mt-auto max-sm:mb-0 max-sm:max-w-full ${small ? 'max-w-form' : 'max-w-dialog'}`}
    >
      <header className="flex items-center justify-between gap-8 pt-16 pr-12 pl-24">
        <h2 id={titleId} className="text-16 font-strong">
          {title}
        </h2>
        {!locked && (
          <Button look="quiet" size="icon" aria-label="Close" onClick={onClose}>
            <X aria-hidden className="icon" />
          </Button>
        )}
      </header>
      <div className="px-24 pt-8 pb-24">{children}</div>
    </Modal>
  )
}

interface ModalProps {
  labelledBy?: string
  label?: string
  onClose: () => void
  locked?: boolean
  className: string
  children: ReactNode
}

/** The bare modal surface. What carries `data-autofocus` is focused first. */
export function Modal({ labelledBy, label, onClose, locked, className, children }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null)

  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    dialog.showModal()
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => dialog.close()
  }, [])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on the veil is a convenience; Escape closes it by keyboard.
    <dialog
      ref={ref}
      aria-labelledby={labelledBy}
      aria-label={label}
      {...{ closedby: locked ? 'none' : 'closerequest' }}
      onCancel={(event) => {
        event.preventDefault()
        if (!locked) onClose()
      }}
      onClick={(event) => {
        if (!locked && event.target === event.currentTarget) onClose()
      }}
      className={`animate-rise max-h-dialog w-full overflow-y-auto overscroll-contain rounded-panel bg-float p-0 text-neutral-12 shadow-float ${className}`}
    >
      {children}
    </dialog>
  )
}
