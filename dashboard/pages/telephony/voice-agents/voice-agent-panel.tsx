import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { CopyId } from '../../../components/copy.tsx'
import { DeleteDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Fact, LINK } from '../../../components/layout/fact.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { toastFailure } from '../../../components/toast.tsx'
import { focusRow } from '../../../frame/list-keys.ts'
import { PROVIDERS } from '../call-labels.ts'
import { refreshTelephony, telephonyApi, type VoiceAgent } from '../telephony-queries.ts'
import { sendsToolSecret, VoiceAgentUrls } from './secret-dialog.tsx'

interface VoiceAgentPanelProps {
  agent: VoiceAgent
  onSecret: (secret: string) => void
}

export function VoiceAgentPanel({ agent, onSecret }: VoiceAgentPanelProps) {
  const { id, provider, agentId, agentName, owner, projectId, createdAt } = agent
  const isAdmin = useSession().role !== 'member'
  const navigate = useNavigate()
  const [isRemoving, setRemoving] = useState(false)
  const hasSecret = sendsToolSecret(agent)
  const close = async () => {
    await navigate({ to: '/phone/voice-agents', search: {} })
    focusRow(id)
  }
  const rotate = useMutation({
    mutationFn: () => telephonyApi.voiceAgents.rotate({ id }),
    onSuccess: ({ secret }) => onSecret(secret),
    onError: toastFailure,
  })
  return (
    <Panel title={agentName} subtitle={PROVIDERS[provider]} onClose={() => void close()}>
      {isAdmin && (
        <PanelSection>
          <div className="flex flex-wrap gap-8">
            {hasSecret && (
              <Button busy={rotate.isPending} onClick={() => rotate.mutate()}>
                Replace secret
              </Button>
            )}
            <Button look="quiet" onClick={() => setRemoving(true)}>
              Delete
            </Button>
          </div>
          {hasSecret && (
            <p className="mt-8 text-12 text-neutral-11">
              {PROVIDERS[provider]} sends the secret in the{' '}
              <code className="font-mono">x-atrium-tool-secret</code> header. After you replace it, requests
              are refused until you enter the new one there.
            </p>
          )}
        </PanelSection>
      )}
      <PanelSection title="Provider URLs">
        <VoiceAgentUrls agent={agent} />
      </PanelSection>
      <PanelSection title="Details">
        <dl className="flex flex-col gap-8 text-13">
          <Fact label="Agent">
            <Link to="/agents/$id" params={{ id: agentId }} search={{}} className={LINK}>
              <Name>{agentName}</Name>
            </Link>
          </Fact>
          <Fact label="Project">
            <Link to="/projects/$ref" params={{ ref: projectId }} className={LINK}>
              Open project
            </Link>
          </Fact>
          <Fact label="Runs as">
            <Name>{owner.name}</Name>
          </Fact>
          <Fact label="Added">
            <Time at={createdAt} />
          </Fact>
          <Fact label="ID">
            <CopyId id={id} what="voice agent ID" />
          </Fact>
        </dl>
      </PanelSection>
      {isRemoving && (
        <DeleteDialog
          title="Delete voice agent"
          name={agentName}
          remove={() => telephonyApi.voiceAgents.remove({ id })}
          refresh={async () => {
            await close()
            await refreshTelephony()
          }}
          onClose={() => setRemoving(false)}
        >
          Atrium will refuse requests from {PROVIDERS[provider]}. Existing conversations and calls are kept.
        </DeleteDialog>
      )}
    </Panel>
  )
}
