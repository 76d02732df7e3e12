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
        {PROVIDERS[agent.provider]} sends this secret in the header{' '}
        <code className="font-mono text-12">x-atrium-tool-secret</code>. It is shown only once: Atrium stores
        a hash of it.
      </>
    }
    onClose={onClose}
  >
    <VoiceAgentUrls agent={agent} />
  </OneTimeSecret>
)

const STEPS: Record<VoiceAgent['provider'], Partial<Record<keyof VoiceAgent['urls'], string>>> = {
  openai: {
    webhook: t`In the settings of your project at OpenAI, under Webhooks, for the event realtime.call.incoming. Point the SIP trunk of your number to OpenAI.`,
  },
  elevenlabs: {
    webhook: t`In the workspace settings of ElevenLabs, as post-call webhook.`,
    initiation: t`In the agent, under Security, as conversation-initiation webhook, with the secret as header.`,
    closeConversation: t`As a server tool of the agent that ends the conversation, with the secret as header.`,
    queueAgentRun: t`As a server tool of the agent that queues tasks in Atrium, with the secret as header.`,
  },
}

const NAMES: Record<keyof VoiceAgent['urls'], string> = {
  webhook: t`Webhook`,
  initiation: t`Conversation initiation`,
  closeConversation: t`Tool: close the conversation`,
  queueAgentRun: t`Tool: queue a run`,
}

export const VoiceAgentUrls = ({ agent: { provider, urls } }: { agent: VoiceAgent }) => (
  <ol aria-label="URLs for the provider" className="flex flex-col gap-16">
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
