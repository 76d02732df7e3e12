import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { telephonyApi } from '../../../api/telephony/client.ts'
import { cacheNumber, type PhoneNumber } from '../../../api/telephony/overview.ts'
import { Button } from '../../../components/button.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { Status } from '../../../components/status.tsx'
import { toastFailure } from '../../../components/toast.tsx'
import { focusRow } from '../../../frame/list-keys.ts'
import { NumberDialog } from './number-dialog.tsx'
import { NumberFacts } from './number-facts.tsx'
import { numberState } from './number-labels.ts'
import { NumberUrls } from './number-urls.tsx'
import { ReleaseDialog } from './release-dialog.tsx'
import { RepairButton } from './repair-button.tsx'

/** Details of one number: where the carrier sends its calls and messages, and its settings. */
export function NumberPanel({ number }: { number: PhoneNumber }) {
  const { id, e164, status } = number
  const isAdmin = useSession().role !== 'member'
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'edit' | 'release'>()
  const check = useMutation({
    mutationFn: () => telephonyApi.phoneNumbers.check({ id }),
    onSuccess: cacheNumber,
    onError: toastFailure,
  })
  const state = numberState(number)
  const canChange = isAdmin && status !== 'released'
  const close = async () => {
    await navigate({ to: '/telephony', search: {} })
    focusRow(id)
  }
  return (
    <Panel
      title={e164}
      subtitle={<Status meaning={state.meaning}>{state.label}</Status>}
      onClose={() => void close()}
    >
      {(state.reason || status !== 'released') && (
        <PanelSection>
          {state.reason && <p className="mb-12 text-13 text-neutral-11">{state.reason}</p>}
          <div className="flex flex-wrap gap-8">
            {canChange && state.isRepairable && <RepairButton numberId={id} />}
            {status !== 'released' && (
              <Button busy={check.isPending} onClick={() => check.mutate()}>
                Check now
              </Button>
            )}
            {canChange && <Button onClick={() => setDialog('edit')}>Edit</Button>}
            {canChange && (
              <Button look="quiet" onClick={() => setDialog('release')}>
                Release
              </Button>
            )}
          </div>
        </PanelSection>
      )}
      {status !== 'released' && (
        <PanelSection title="URLs at the carrier">
          <NumberUrls number={number} />
        </PanelSection>
      )}
      <PanelSection title="Settings">
        <NumberFacts number={number} />
      </PanelSection>
      {dialog === 'edit' && <NumberDialog number={number} onClose={() => setDialog(undefined)} />}
      {dialog === 'release' && <ReleaseDialog number={number} onClose={() => setDialog(undefined)} />}
    </Panel>
  )
}
