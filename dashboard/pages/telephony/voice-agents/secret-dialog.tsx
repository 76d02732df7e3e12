import type { VoiceAgent } from '../../../api/telephony/voice-agents.ts'
import { SecretDialog as OneTimeSecret } from '../../../components/dialogs/secret-dialog.tsx'
import { withNames } from '../../../components/name.tsx'
import { PROVIDERS } from '../call-labels.ts'
import { VoiceAgentUrls } from './voice-agent-urls.tsx'

interface SecretDialogProps {
  agent: VoiceAgent
  secret: string
  onClose: () => void
}

/** Whether the provider proves its requests with the tool secret. OpenAI signs its webhook with a secret of its own. */
export const sendsToolSecret = ({ provider }: VoiceAgent): boolean => provider === 'elevenlabs'

/** The only time the secret is shown, with the URLs that need it. */
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
