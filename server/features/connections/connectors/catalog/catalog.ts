import type { ConnectorDefinition } from '../definition/definition.ts'
import { discord } from './chat/discord.ts'
import { microsoftTeams } from './chat/microsoft-teams.ts'
import { slack } from './chat/slack.ts'
import { bitbucket } from './code/bitbucket.ts'
import { github } from './code/github.ts'
import { gitlab } from './code/gitlab.ts'
import { hubspot } from './customers/hubspot.ts'
import { intercom } from './customers/intercom.ts'
import { salesforce } from './customers/salesforce.ts'
import { zendesk } from './customers/zendesk.ts'
import { asana } from './issues/asana.ts'
import { jira } from './issues/jira.ts'
import { linear } from './issues/linear.ts'
import { trello } from './issues/trello.ts'
import { airtable } from './knowledge/airtable.ts'
import { confluence } from './knowledge/confluence.ts'
import { dropbox } from './knowledge/dropbox.ts'
import { figma } from './knowledge/figma.ts'
import { googleCalendar } from './knowledge/google-calendar.ts'
import { googleDrive } from './knowledge/google-drive.ts'
import { googleSheets } from './knowledge/google-sheets.ts'
import { notion } from './knowledge/notion.ts'
import { sharepoint } from './knowledge/sharepoint.ts'
import { gmail } from './mail/gmail.ts'
import { outlook } from './mail/outlook.ts'
import { resend } from './mail/resend.ts'
import { sendgrid } from './mail/sendgrid.ts'
import { telegram } from './messaging/telegram.ts'
import { whatsapp } from './messaging/whatsapp.ts'
import { pagerduty } from './operations/pagerduty.ts'
import { sentry } from './operations/sentry.ts'
import { http } from './other/http.ts'
import { shopify } from './payments/shopify.ts'
import { stripe } from './payments/stripe.ts'
import { elevenlabs } from './telephony/elevenlabs.ts'
import { twilio } from './telephony/twilio.ts'

/** Boot checks each against `check-definition.ts`. */
export const builtIn: readonly ConnectorDefinition[] = [
  airtable,
  asana,
  bitbucket,
  confluence,
  discord,
  dropbox,
  elevenlabs,
  figma,
  github,
  gitlab,
  gmail,
  googleCalendar,
  googleDrive,
  googleSheets,
  http,
  hubspot,
  intercom,
  jira,
  linear,
  microsoftTeams,
  notion,
  outlook,
  pagerduty,
  resend,
  salesforce,
  sendgrid,
  sentry,
  sharepoint,
  shopify,
  slack,
  stripe,
  telegram,
  trello,
  twilio,
  whatsapp,
  zendesk,
]
