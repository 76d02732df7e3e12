import { Search } from 'lucide-react'
import { lazy, Suspense, useId, useRef, useState } from 'react'
import { t } from '../../../contract/text.ts'
import { Modal } from '../../components/dialogs/dialog.tsx'
import type { Command } from '../command-list.ts'

/** Loaded with the first search. The input is part of the frame, so text typed meanwhile isn't lost. */
const Results = lazy(async () => ({ default: (await import('./palette-results.tsx')).PaletteResults }))

export const preloadPalette = () => void import('./palette-results.tsx')

/** False if the key has no meaning in the list. */
export type PressKey = (key: string, isShift: boolean) => boolean

const LIST_KEYS = ['ArrowDown', 'ArrowUp', 'Enter', 'Tab']

interface PaletteProps {
  commands: Command[]
  onClose: () => void
}

export function Palette({ commands, onClose }: PaletteProps) {
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState<string>()
  const press = useRef<PressKey>(undefined)
  const queuedKeys = useRef<[string, boolean][]>([])
  const [step, setStep] = useState<Command>()
  const listId = useId()
  return (
    <Modal
      label="Search"
      onClose={onClose}
      className="mx-auto mt-dialog-top max-w-reading max-sm:m-0 max-sm:h-dvh max-sm:max-h-dvh max-sm:max-w-full max-sm:rounded-none"
    >
      <div className="sticky top-0 z-10 flex items-center gap-8 border-neutral-6 border-b bg-float px-16">
        {step ? (
          <span className="max-w-filter truncate rounded-control bg-selected px-8 py-4 text-13">
            {step.label}
          </span>
        ) : (
          <Search aria-hidden className="icon text-neutral-11" />
        )}
        <input
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={active}
          aria-label="Search"
          placeholder={step ? t`Choose one` : t`Search or run a command`}
          autoComplete="off"
          spellCheck={false}
          maxLength={300}
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            const { key, shiftKey, nativeEvent } = event
            if (step && (key === 'Escape' || (key === 'Backspace' && typed === ''))) {
              setStep(undefined)
              setTyped('')
              event.preventDefault()
              return
            }
            if (!LIST_KEYS.includes(key) || nativeEvent.isComposing) return
            if (press.current && !press.current(key, shiftKey)) return
            if (!press.current) queuedKeys.current.push([key, shiftKey])
            event.preventDefault()
          }}
          className="h-48 min-w-0 flex-1 bg-transparent text-16 outline-none"
        />
        <button type="button" onClick={onClose} className="h-32 px-8 text-13 text-neutral-11 sm:hidden">
          Cancel
        </button>
      </div>
      <Suspense fallback={<div id={listId} role="listbox" aria-label="Results" className="h-row" />}>
        <Results
          listId={listId}
          commands={commands}
          typed={typed}
          step={step}
          onStep={(command) => {
            setStep(command)
            setTyped('')
          }}
          onClose={onClose}
          onActive={setActive}
          onReady={(handler) => {
            press.current = handler
            for (const [key, isShift] of queuedKeys.current.splice(0)) handler(key, isShift)
          }}
        />
      </Suspense>
    </Modal>
  )
}
