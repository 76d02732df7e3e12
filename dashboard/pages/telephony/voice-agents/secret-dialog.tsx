import { t } from '../../../../contract/text.ts'
import { Code } from '../../../components/code.tsx'
import { SecretDialog as OneTimeSecret } from '../../../components/dialogs/secret-dialog.tsx'
import { withNames } from '../../../components/name.tsx'
import { PROVIDERS } from '../call-labels.ts'
import type { VoiceAgent } from '../telephony-queries.ts'

interface SecretDialogProps {
  agent: VoiceAgent
  secret: string
  onClose: () => void
}

/** OpenAI signs its webhook with its own secret instead. */
export const sendsToolSecret = ({ provider }: VoiceAgent): boolean => provider === 'elevenlabs'

/** The only time the secret is shown. */
export const SecretDialog = ({ agent, secret, onClose }: SecretDialogProps) => (
  <OneTimeSecret
    size="wide"
    title={withNames`Set up ${agent.agentName} at ${PROVIDERS[agent.provider]}`}
    what="secret"
    value={secret}
    about={
      <>
        {PROVIDERS[agent.provider]} sends this secret in the{' '}
        <code className="font-mono text-12">x-atrium-tool-secret</code> header. It’s shown only once; Atrium
        stores only a hash.
      </>
    }
    onClose={onClose}
  >
    <VoiceAgentUrls agent={agent} />
  </OneTimeSecret>
)

const STEPS: Record<VoiceAgent['provider'], Partial<Record<keyof VoiceAgent['urls'], string>>> = {
  openai: {
    webhook: t`In your OpenAI project settings, under Webhooks, add it for the event realtime.call.incoming. Point your number’s SIP trunk to OpenAI.`,
  },
  elevenlabs: {
    webhook: t`In your ElevenLabs workspace settings, add it as the post-call webhook.`,
    initiation: t`In the agent’s Security settings, add it as the conversation-initiation webhook. Send the secret as a header.`,
    closeConversation: t`Add as a server tool that ends the call. Send the secret as a header.`,
    queueAgentRun: t`Add as a server tool that queues tasks in Atrium. Send the secret as a header.`,
  },
}

const NAMES: Record<keyof VoiceAgent['urls'], string> = {
  webhook: t`Webhook`,
  initiation: t`Conversation initiation`,
  closeConversation: t`Tool: close conversation`,
  queueAgentRun: t`Tool: queue run`,
}

export const VoiceAgentUrls = ({ agent: { provider, urls } }: { agent: VoiceAgent }) => (
  <ol aria-label="Provider URLs" className="flex flex-col gap-16">
    {(Object.keys(NAMES) as (keyof VoiceAgent['urls'])[]).map((name) => {
      const url = urls[name]
      if (!url) return null
      return (
        <li key={name} className="flex flex-col gap-4 text-13">
          <span className="font-medium">{NAMES[name]}</span>
          <span className="text-12 text-neutral-11">{STEPS[provider][name]}</span>
          <Code what={`URL: ${NAMES[name]}`}>{url}</Code>
        </li>
      )
    })}
  </ol>
)
