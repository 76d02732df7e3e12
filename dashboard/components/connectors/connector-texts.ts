/**
 * Texts of the built-in connectors, as the server sends them and as the page shows them: the build for another language
 * translates the values. `test/connector-texts.test.ts` compares the keys with the catalog.
 */
export const CONNECTOR_TEXTS: Record<string, string> = {
  'Reads and writes records of bases.': 'Reads and writes records of bases.',
  'Search, create, complete and comment on Asana tasks.':
    'Search, create, complete and comment on Asana tasks.',
  Workspace: 'Workspace',
  'The name of the workspace, if the account has several':
    'The name of the workspace, if the account has several',
  'Read repositories, pull requests and files of Bitbucket Cloud, and comment on pull requests.':
    'Read repositories, pull requests and files of Bitbucket Cloud, and comment on pull requests.',
  'Searches and reads pages, and writes pages and comments.':
    'Searches and reads pages, and writes pages and comments.',
  Site: 'Site',
  'The name before .atlassian.net, if the account has several sites':
    'The name before .atlassian.net, if the account has several sites',
  'Read channels, post messages and open threads on Discord servers.':
    'Read channels, post messages and open threads on Discord servers.',
  'Discord sends commands and buttons to endpoints, but no ordinary messages':
    'Discord sends commands and buttons to endpoints, but no ordinary messages',
  'Bot token': 'Bot token',
  'On the Bot page of the application at https://discord.com/developers/applications':
    'On the Bot page of the application at https://discord.com/developers/applications',
  'Searches, reads, uploads and shares files.': 'Searches, reads, uploads and shares files.',
  'Let voice agents of ElevenLabs call people, and read the transcripts of their conversations.':
    'Let voice agents of ElevenLabs call people, and read the transcripts of their conversations.',
  'API key': 'API key',
  'On the page Developers, API Keys': 'On the page Developers, API Keys',
  'Reads design files and their comments, renders images and adds comments.':
    'Reads design files and their comments, renders images and adds comments.',
  'Read and write issues, comments, pull requests and files of GitHub repositories.':
    'Read and write issues, comments, pull requests and files of GitHub repositories.',
  Host: 'Host',
  'Only for GitHub Enterprise: the host of your server':
    'Only for GitHub Enterprise: the host of your server',
  'Read and write issues, comments, merge requests and files of GitLab projects.':
    'Read and write issues, comments, merge requests and files of GitLab projects.',
  'Only for a self-hosted GitLab server': 'Only for a self-hosted GitLab server',
  'Search, read, draft and send mail of a Gmail account.':
    'Search, read, draft and send mail of a Gmail account.',
  'Reads calendars, finds free times, and creates and changes events.':
    'Reads calendars, finds free times, and creates and changes events.',
  'Reads and writes the cells of spreadsheets.': 'Reads and writes the cells of spreadsheets.',
  'Requests to any service with a JSON API, authorized by a header or by a user name and password.':
    'Requests to any service with a JSON API, authorized by a header or by a user name and password.',
  'Base URL': 'Base URL',
  'All requests go below this URL, and to no other host.':
    'All requests go below this URL, and to no other host.',
  'Path for the check': 'Path for the check',
  'A path below the base URL that responds to GET with success if the credentials are right.':
    'A path below the base URL that responds to GET with success if the credentials are right.',
  Header: 'Header',
  'The name of the header, such as Authorization or X-API-Key.':
    'The name of the header, such as Authorization or X-API-Key.',
  'Header value': 'Header value',
  'Complete, such as Bearer followed by a token.': 'Complete, such as Bearer followed by a token.',
  'User name': 'User name',
  'For basic authentication, instead of a header.': 'For basic authentication, instead of a header.',
  Password: 'Password',
  'Finds and changes contacts, creates deals and adds notes.':
    'Finds and changes contacts, creates deals and adds notes.',
  'Finds contacts and conversations, replies to customers and adds notes.':
    'Finds contacts and conversations, replies to customers and adds notes.',
  Region: 'Region',
  'eu for app.eu.intercom.com, au for app.au.intercom.com, otherwise us.':
    'eu for app.eu.intercom.com, au for app.au.intercom.com, otherwise us.',
  'Search, create, move and comment on issues of Jira Cloud.':
    'Search, create, move and comment on issues of Jira Cloud.',
  'Find, create and update Linear issues, and comment on them.':
    'Find, create and update Linear issues, and comment on them.',
  'Read channels and post messages in Microsoft Teams.':
    'Read channels and post messages in Microsoft Teams.',
  Tenant: 'Tenant',
  'The id or the domain of the Microsoft Entra tenant, if the app is registered for one tenant only':
    'The id or the domain of the Microsoft Entra tenant, if the app is registered for one tenant only',
  'Searches and reads pages and databases, and writes pages in Markdown.':
    'Searches and reads pages and databases, and writes pages in Markdown.',
  'Search, read, draft and send mail, and read the calendar of a Microsoft 365 or Outlook.com account.':
    'Search, read, draft and send mail, and read the calendar of a Microsoft 365 or Outlook.com account.',
  'Reads incidents and who is on call, acknowledges and resolves incidents, and adds notes.':
    'Reads incidents and who is on call, acknowledges and resolves incidents, and adds notes.',
  'eu for app.eu.pagerduty.com, otherwise us.': 'eu for app.eu.pagerduty.com, otherwise us.',
  'API token': 'API token',
  'PagerDuty, under My Profile, User Settings: Create API User Token.':
    'PagerDuty, under My Profile, User Settings: Create API User Token.',
  'Sends email from your domains, and receives email at them.':
    'Sends email from your domains, and receives email at them.',
  'Resend, under API Keys. It starts with re_ and needs full access.':
    'Resend, under API Keys. It starts with re_ and needs full access.',
  'Queries records, and creates and changes them.': 'Queries records, and creates and changes them.',
  Domain: 'Domain',
  'The part of the login URL before .salesforce.com: login, test for a sandbox, or your own such as acme.my.':
    'The part of the login URL before .salesforce.com: login, test for a sandbox, or your own such as acme.my.',
  'Sends email, and reads which addresses bounced or unsubscribed.':
    'Sends email, and reads which addresses bounced or unsubscribed.',
  'eu for a subuser in the EU, otherwise global.': 'eu for a subuser in the EU, otherwise global.',
  'SendGrid, under Settings, API Keys: a key with access to Mail Send, Suppressions and Sender Authentication.':
    'SendGrid, under Settings, API Keys: a key with access to Mail Send, Suppressions and Sender Authentication.',
  'Searches and reads errors, comments on them and resolves them.':
    'Searches and reads errors, comments on them and resolves them.',
  Organization: 'Organization',
  'The slug of the organization: the part of the URL of Sentry before .sentry.io.':
    'The slug of the organization: the part of the URL of Sentry before .sentry.io.',
  'us.sentry.io or de.sentry.io for a region, or the host of your own server.':
    'us.sentry.io or de.sentry.io for a region, or the host of your own server.',
  Token: 'Token',
  'Sentry, under Settings, Developer Settings: the token of an internal integration with read and write access to issues and events.':
    'Sentry, under Settings, Developer Settings: the token of an internal integration with read and write access to issues and events.',
  'Searches orders, products and customers of a shop, and refunds orders.':
    'Searches orders, products and customers of a shop, and refunds orders.',
  Shop: 'Shop',
  'The part of the URL of your shop before .myshopify.com.':
    'The part of the URL of your shop before .myshopify.com.',
  'Read channels, post messages and answer in threads of a Slack workspace.':
    'Read channels, post messages and answer in threads of a Slack workspace.',
  'Finds customers, invoices and payments, creates payment links and refunds.':
    'Finds customers, invoices and payments, creates payment links and refunds.',
  'Restricted key': 'Restricted key',
  'Stripe, under Developers, API keys: a restricted key with the permissions that agents need, and write access to webhook endpoints for events.':
    'Stripe, under Developers, API keys: a restricted key with the permissions that agents need, and write access to webhook endpoints for events.',
  'Send messages and files to Telegram chats as a bot.':
    'Send messages and files to Telegram chats as a bot.',
  'From @BotFather: send /newbot or /token': 'From @BotFather: send /newbot or /token',
  'Read boards, create and move cards, and comment on them in Trello.':
    'Read boards, create and move cards, and comment on them in Trello.',
  'On the API Key page of your Power-Up at https://trello.com/power-ups/admin':
    'On the API Key page of your Power-Up at https://trello.com/power-ups/admin',
  'From the Token link beside the API key. Choose a token that never expires':
    'From the Token link beside the API key. Choose a token that never expires',
  Secret: 'Secret',
  'Below the API key. Required to receive events': 'Below the API key. Required to receive events',
  'Send text messages, place calls and read messages with Twilio phone numbers.':
    'Send text messages, place calls and read messages with Twilio phone numbers.',
  'Account SID': 'Account SID',
  'On the first page of the Twilio console': 'On the first page of the Twilio console',
  'Auth token': 'Auth token',
  'Below the account SID. Twilio signs events with it': 'Below the account SID. Twilio signs events with it',
  'Answer customers and send template messages from a WhatsApp Business number.':
    'Answer customers and send template messages from a WhatsApp Business number.',
  'Access token': 'Access token',
  'A permanent token of a system user with whatsapp_business_messaging':
    'A permanent token of a system user with whatsapp_business_messaging',
  'Phone number ID': 'Phone number ID',
  'On the page API Setup of the app; not the phone number':
    'On the page API Setup of the app; not the phone number',
  'App secret': 'App secret',
  'On the page App settings, Basic. Required to receive messages':
    'On the page App settings, Basic. Required to receive messages',
  'Searches and reads support tickets, creates them and replies to customers.':
    'Searches and reads support tickets, creates them and replies to customers.',
  Subdomain: 'Subdomain',
  'The part of the URL of your Zendesk before .zendesk.com.':
    'The part of the URL of your Zendesk before .zendesk.com.',
}

/** A text of a connector in the language of the page. Texts of custom connectors stay as they are. */
export const localizeConnectorText = (text: string): string => CONNECTOR_TEXTS[text] ?? text
