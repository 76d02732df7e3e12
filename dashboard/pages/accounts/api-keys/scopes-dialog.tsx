import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Scope } from '../../../../contract/accounts/scopes.ts'
import { api } from '../../../api/client.ts'
import { failureMessage } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { type ApiKey, apiKeysQuery } from './api-keys-queries.ts'
import { ScopePicker } from './scope-picker.tsx'

export function ScopesDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [scopes, setScopes] = useState(apiKey.scopes as Scope[])
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: () => api.apiKeys.update({ id: apiKey.id, scopes }),
    onSuccess: () => {
      onClose()
      toast(withNames`Updated the scopes of ${apiKey.name}`)
      void queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
    },
  })

  const isChanged =
    scopes.length !== apiKey.scopes.length || scopes.some((scope) => !apiKey.scopes.includes(scope))
  return (
    <Dialog title={withNames`Scopes of “${apiKey.name}”`} onClose={onClose}>
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) save.mutate()
        }}
      >
        <p className="text-neutral-11">The key stays the same. Changes apply to its next request.</p>
        <FormFailure>{failureMessage(save.error)}</FormFailure>
        <ScopePicker selected={scopes} onChange={setScopes} readOnly={apiKey.readOnly} />
        <div className="flex justify-end gap-8">
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={save.isPending} disabled={!isChanged}>
            Save scopes
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
