import { dictionary } from '../../../../../contract/dictionary.ts'
import type { Sql } from '../../../../database/database.ts'
import { isReachable } from '../../carrier/destination.ts'
import type { CallbackNumber } from '../../numbers/called-number.ts'
import { consumeAutomaticReply } from '../automatic-replies.ts'
import { deleteOptOut, insertOptOut, isOptedOut } from '../opt-outs.ts'
import { queueSms } from '../send/queue-sms.ts'

export type Keyword = 'stop' | 'start' | 'help'

/** US carriers require the English words, Canadian carriers ARRET and AIDE. The others are usual in their languages. */
const WORDS: Readonly<Record<Keyword, string>> = {
  stop: `STOP STOPALL UNSUBSCRIBE CANCEL END QUIT REVOKE OPTOUT REMOVE
    ARRET ARRETE ARRETER ARRETT DESABONNER DESINSCRIRE STOPP ABMELDEN ABBESTELLEN AFMELDEN AVSLUTA AFMELD
    BAJA ALTO CANCELAR DETENER PARAR PARE SAIR SALIR DISISCRIVI ANNULLA СТОП ΣΤΟΠ 停止 退订 配信停止`,
  start: 'START YES UNSTOP OPTIN COMMENCER DEBUT ALTA INICIAR COMENZAR',
  help: 'HELP INFO AIDE HILFE AYUDA AJUDA AIUTO',
}

const BY_WORD = new Map(
  (Object.entries(WORDS) as [Keyword, string][]).flatMap(([keyword, words]) =>
    words.split(/\s+/).map((word): [string, Keyword] => [word, keyword]),
  ),
)

/** The whole message must be the keyword: “please stop by” isn't one. */
export const parseKeyword = (body: string): Keyword | null => BY_WORD.get(normalized(body)) ?? null

/**
 * Ignores case, accents, spaces, hyphens, quotes and final punctuation: “Stop.”, “opt out” and “ARRÊT” are keywords.
 */
const normalized = (body: string): string =>
  body
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\s\p{Pd}]/gu, '')
    .replace(/^["'“”„‘’«»]+|["'“”„‘’«».!?。！]+$/gu, '')
    .toUpperCase()

type Texts = Readonly<Record<Keyword, (sender: string) => string>>

const ENGLISH: Texts = {
  stop: (sender) => `You will receive no more messages from ${sender}. Reply START to receive them again.`,
  start: (sender) => `You will receive messages from ${sender} again. Reply STOP to end them.`,
  help: (sender) => `This is ${sender}. Reply STOP to receive no more messages. Message rates may apply.`,
}

const BY_LANGUAGE: Readonly<Record<string, Texts>> = dictionary({
  en: ENGLISH,
  de: {
    stop: (sender) => `Sie erhalten keine Nachrichten von ${sender} mehr. Mit START erhalten Sie sie wieder.`,
    start: (sender) => `Sie erhalten wieder Nachrichten von ${sender}. Mit STOP beenden Sie sie.`,
    help: (sender) => `Hier ist ${sender}. Mit STOP erhalten Sie keine Nachrichten mehr.`,
  },
  fr: {
    stop: (sender) =>
      `Vous ne recevrez plus de messages de ${sender}. Répondez START pour en recevoir à nouveau.`,
    start: (sender) =>
      `Vous recevez à nouveau les messages de ${sender}. Répondez ARRET pour ne plus en recevoir.`,
    help: (sender) => `Ici ${sender}. Répondez ARRET pour ne plus recevoir de messages.`,
  },
  es: {
    stop: (sender) => `Ya no recibirá mensajes de ${sender}. Responda START para recibirlos de nuevo.`,
    start: (sender) => `Recibirá de nuevo los mensajes de ${sender}. Responda BAJA para no recibirlos.`,
    help: (sender) => `Le escribe ${sender}. Responda BAJA para no recibir más mensajes.`,
  },
  pt: {
    stop: (sender) => `Não receberá mais mensagens de ${sender}. Responda START para voltar a recebê-las.`,
    start: (sender) => `Voltará a receber mensagens de ${sender}. Responda PARAR para deixar de recebê-las.`,
    help: (sender) => `Aqui fala ${sender}. Responda PARAR para não receber mais mensagens.`,
  },
})

export const keywordNotice = (keyword: Keyword, language: string, sender: string): string =>
  (BY_LANGUAGE[language.split('-')[0]!] ?? ENGLISH)[keyword](sender)

interface KeywordMessage {
  keyword: Keyword
  peer: string
  isAnswered: boolean
  now: Date
}

/** Takes effect per number and recipient. Each change is confirmed once. */
export async function obeyKeyword(
  sql: Sql,
  orgId: string,
  number: CallbackNumber,
  { keyword, peer, isAnswered, now }: KeywordMessage,
): Promise<void> {
  const pair = { numberId: number.id, peer }
  const takeEffect = {
    stop: () => insertOptOut(sql, orgId, pair, { source: 'message', now }),
    start: () => deleteOptOut(sql, orgId, pair),
    help: async () => !(await isOptedOut(sql, orgId, pair)),
  }
  if (!(await takeEffect[keyword]()) || isAnswered || !isReachable(peer)) return
  if (!(await consumeAutomaticReply(sql, orgId, pair, now))) return
  const body = keywordNotice(keyword, number.settings.language, await senderOf(sql, orgId, number.id))
  // A refusal, such as a reached budget, must not undo the opt-out.
  await queueSms(sql, orgId, { number, to: peer, body, purpose: 'notice', createdBy: number.ownerId }, now)
}

async function senderOf(sql: Sql, orgId: string, numberId: string): Promise<string> {
  const [row] = await sql<{ name: string }[]>`
    select coalesce(n.label, o.name) as name from phone_numbers n join organizations o on o.id = n.org_id
    where n.org_id = ${orgId} and n.id = ${numberId}`
  return row!.name
}
