import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../../../client/client.ts'
import type { Scope } from '../../../contract/accounts/scopes.ts'
import { api } from '../../api/client.ts'
import { explainShortly, isDeclinedStepUp } from '../../api/explain.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogFooter } from '../../components/dialogs/dialog.tsx'
import { FormFailure } from '../../components/failure.tsx'
import { TextField } from '../../components/forms/field.tsx'
import { apiKeysQuery, type MintedKey } from './api-keys-queries.ts'
import { ScopeChoice } from './scope-choice.tsx'
import { StoreKey } from './store-key.tsx'

export function NewKeyDialog() {
  const [minted, setMinted] = useState<MintedKey>()
  const navigate = useNavigate()
  const close = () => navigate({ to: '/settings/api-keys' })
  if (minted) return <StoreKey minted={minted} onStored={close} />
  return <Form onMinted={setMinted} onClose={close} />
}

function Form({ onMinted, onClose }: { onMinted: (minted: MintedKey) => void; onClose: () => void }) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<Scope[]>(['models:read'])
  const { role } = useSession()
  const queries = useQueryClient()
  const mint = useMutation({
    mutationFn: () => api.apiKeys.create({ name, scopes }),
    onSuccess: (minted) => {
      onMinted(minted)
      void queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
    },
  })
  return (
    <Dialog title="New API key" onClose={onClose}>
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (!mint.isPending) mint.mutate()
        }}
      >
        <FormFailure>{whyNot(mint.error)}</FormFailure>
        <TextField
          label="Name"
          hint="Say where it is used, so that you know what stops when you revoke it."
          placeholder="Nightly import"
          required
          limit={120}
          autoComplete="off"
          data-autofocus
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <ScopeChoice chosen={scopes} onChange={setScopes} mayCharge={role !== 'member'} />
        <DialogFooter>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={mint.isPending}>
            Create key
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

/** Minting is limited to a handful at once, which the API calls a bad request. */
function whyNot(error: Error | null): string | undefined {
  if (!error || isDeclinedStepUp(error)) return undefined
  if (error instanceof ApiFailure && error.reason === 'rate_limited') {
    return 'Five keys at once is the most. Wait a minute, then create the next one.'
  }
  return explainShortly(error)
}
