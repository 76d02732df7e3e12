import { useMutation } from '@tanstack/react-query'
import { refreshSources, type Source, sourceApi } from '../../../api/sources.ts'
import { Button } from '../../../components/button.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'

/** The way out of every state: sync, resume or pause. */
export function SourceActions({ source }: { source: Source }) {
  const { id, name, canEdit, enabled, paused } = source
  const isActive = enabled && paused === null
  const sync = useMutation({
    mutationFn: () => sourceApi.sources.sync({ id }),
    onSuccess: () => {
      toast(withNames`Syncing ${name}`)
      return refreshSources()
    },
    onError: toastFailure,
  })
  const change = useMutation({
    mutationFn: () => sourceApi.sources.update({ id, enabled: !isActive }),
    onSuccess: () => {
      toast(isActive ? withNames`Turned off ${name}` : withNames`Resumed ${name}`)
      return refreshSources()
    },
    onError: toastFailure,
  })
  if (!canEdit) return null
  return (
    <>
      {isActive && (
        <Button busy={sync.isPending} onClick={() => sync.mutate()}>
          Sync now
        </Button>
      )}
      <Button look={isActive ? 'quiet' : 'primary'} busy={change.isPending} onClick={() => change.mutate()}>
        {isActive ? 'Turn off' : 'Resume'}
      </Button>
    </>
  )
}
