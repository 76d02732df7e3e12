import { useBlocker } from '@tanstack/react-router'
import { Button } from '../button.tsx'
import { Dialog, DialogFooter } from './dialog.tsx'

export function UnsavedEdits({ isChanged }: { isChanged: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Dialog title="Discard your changes?" onClose={reset}>
      <p className="text-neutral-11">You have unsaved changes.</p>
      <DialogFooter>
        <Button look="quiet" onClick={proceed}>
          Discard changes
        </Button>
        <Button look="primary" data-autofocus onClick={reset}>
          Keep editing
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
