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
    <Dialog title="Discard your edits?" onClose={reset}>
      <p className="text-neutral-11">You have edits that are not saved.</p>
      <DialogFooter>
        <Button look="quiet" onClick={proceed}>
          Discard edits
        </Button>
        <Button look="primary" data-autofocus onClick={reset}>
          Continue editing
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
