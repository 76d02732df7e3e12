import { useBlocker } from '@tanstack/react-router'
import { Button } from '../button.tsx'
import { Dialog, DialogFooter } from './dialog.tsx'

export function UnsavedEdits({ isChanged }: { isChanged: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  return status === 'blocked' && <DiscardDialog onDiscard={proceed} onKeep={reset} />
}

export function DiscardDialog({ onDiscard, onKeep }: { onDiscard: () => void; onKeep: () => void }) {
  return (
    <Dialog title="Discard your changes?" onClose={onKeep}>
      <p className="pb-16 text-neutral-11">You have unsaved changes.</p>
      <DialogFooter>
        <Button look="quiet" onClick={onDiscard}>
          Discard changes
        </Button>
        <Button look="primary" data-autofocus onClick={onKeep}>
          Keep editing
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
