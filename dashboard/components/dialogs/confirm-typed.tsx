import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { explainShortly, isDeclinedStepUp } from '../../api/explain.ts'
import { Button } from '../button.tsx'
import { FormFailure } from '../failure.tsx'
import { TextField } from '../forms/field.tsx'
import { Dialog, DialogFooter } from './dialog.tsx'

interface ConfirmTypedProps {
  title: string
  /** What has to be typed, letter by letter. */
  word: string
  action: string
  onConfirm: () => Promise<void>
  onClose: () => void
  /** Exactly what will be gone. */
  children: ReactNode
}

/** For what cannot be undone. */
export function ConfirmTyped({ title, word, action, onConfirm, onClose, children }: ConfirmTypedProps) {
  const [typed, setTyped] = useState('')
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: onClose })
  const failure =
    confirm.error && !isDeclinedStepUp(confirm.error) ? explainShortly(confirm.error) : undefined
  const matches = typed.trim() === word.trim()
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (matches && !confirm.isPending) confirm.mutate()
        }}
      >
        <div className="flex flex-col gap-8 break-words text-neutral-11">{children}</div>
        <FormFailure>{failure}</FormFailure>
        <TextField
          label={`Type “${word}” to confirm`}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <DialogFooter>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="danger" type="submit" busy={confirm.isPending} disabled={!matches}>
            {action}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
