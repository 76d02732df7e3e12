import { hangUp, say, twiml, type Verb } from '../carrier/twiml.ts'
import type { CallbackNumber } from '../numbers/called-number.ts'

export type SpeakingNumber = Pick<CallbackNumber, 'id' | 'settings'>

export const sayPhrase = (name: Phrase, { settings }: SpeakingNumber): Verb => {
  const { text, language } = phrase(name, settings.language)
  return say(text, language)
}

export const farewell = (name: Phrase, number: SpeakingNumber): string =>
  twiml(sayPhrase(name, number), hangUp)

export interface SpokenPhrase {
  text: string
  language: string
}

/** Falls back to English, text and voice. */
export function phrase(name: Phrase, language: string): SpokenPhrase {
  const code = language.split('-')[0]!
  return Object.hasOwn(PHRASES, code)
    ? { text: PHRASES[code as keyof typeof PHRASES][name], language }
    : { text: PHRASES.en[name], language: 'en-US' }
}

export type Phrase = keyof (typeof PHRASES)['en']

const PHRASES = {
  en: {
    hold: 'One moment please, I am connecting you.',
    waiting: 'A caller would like to speak with you.',
    accept: 'Press 1 to take the call.',
    gone: 'The caller is no longer on the line. Goodbye.',
    declined: 'Thank you. Goodbye.',
    unavailable: 'No one is available at the moment. Please call again later. Goodbye.',
    over: 'The other person has hung up. Goodbye.',
    recorded: 'This call is recorded.',
    leave: 'Please leave a message after the tone.',
    thanks: 'Thank you for your message. Goodbye.',
  },
  de: {
    hold: 'Einen Moment bitte, ich verbinde Sie.',
    waiting: 'Ein Anrufer möchte mit Ihnen sprechen.',
    accept: 'Drücken Sie die 1, um das Gespräch anzunehmen.',
    gone: 'Der Anrufer ist nicht mehr in der Leitung. Auf Wiederhören.',
    declined: 'Vielen Dank. Auf Wiederhören.',
    unavailable: 'Im Moment ist niemand erreichbar. Bitte rufen Sie später noch einmal an. Auf Wiederhören.',
    over: 'Ihr Gesprächspartner hat aufgelegt. Auf Wiederhören.',
    recorded: 'Dieses Gespräch wird aufgezeichnet.',
    leave: 'Bitte sprechen Sie nach dem Ton.',
    thanks: 'Vielen Dank für Ihre Nachricht. Auf Wiederhören.',
  },
  fr: {
    hold: 'Un instant, je vous mets en relation.',
    waiting: 'Un correspondant souhaite vous parler.',
    accept: "Appuyez sur 1 pour prendre l'appel.",
    gone: "Le correspondant n'est plus en ligne. Au revoir.",
    declined: 'Merci. Au revoir.',
    unavailable: "Personne n'est disponible pour le moment. Veuillez rappeler plus tard. Au revoir.",
    over: 'Votre correspondant a raccroché. Au revoir.',
    recorded: 'Cet appel est enregistré.',
    leave: 'Veuillez laisser un message après le bip.',
    thanks: 'Merci pour votre message. Au revoir.',
  },
  es: {
    hold: 'Un momento, por favor, le paso la llamada.',
    waiting: 'Una persona desea hablar con usted.',
    accept: 'Pulse 1 para aceptar la llamada.',
    gone: 'La persona ya no está en línea. Adiós.',
    declined: 'Gracias. Adiós.',
    unavailable: 'En este momento no hay nadie disponible. Por favor, llame más tarde. Adiós.',
    over: 'La otra persona ha colgado. Adiós.',
    recorded: 'Esta llamada se graba.',
    leave: 'Por favor, deje un mensaje después de la señal.',
    thanks: 'Gracias por su mensaje. Adiós.',
  },
  it: {
    hold: 'Un momento, la metto in contatto.',
    waiting: 'Una persona desidera parlare con lei.',
    accept: 'Prema 1 per accettare la chiamata.',
    gone: 'La persona non è più in linea. Arrivederci.',
    declined: 'Grazie. Arrivederci.',
    unavailable: 'Al momento non è disponibile nessuno. La preghiamo di richiamare più tardi. Arrivederci.',
    over: "L'altra persona ha riattaccato. Arrivederci.",
    recorded: 'Questa chiamata viene registrata.',
    leave: 'Lasci un messaggio dopo il segnale acustico.',
    thanks: 'Grazie per il suo messaggio. Arrivederci.',
  },
  pt: {
    hold: 'Um momento, por favor, vou transferir a chamada.',
    waiting: 'Uma pessoa deseja falar consigo.',
    accept: 'Prima 1 para aceitar a chamada.',
    gone: 'A pessoa já não está em linha. Adeus.',
    declined: 'Obrigado. Adeus.',
    unavailable: 'De momento ninguém está disponível. Por favor, ligue mais tarde. Adeus.',
    over: 'A outra pessoa desligou. Adeus.',
    recorded: 'Esta chamada é gravada.',
    leave: 'Por favor, deixe uma mensagem após o sinal.',
    thanks: 'Obrigado pela sua mensagem. Adeus.',
  },
  nl: {
    hold: 'Een ogenblik, ik verbind u door.',
    waiting: 'Een beller wil u spreken.',
    accept: 'Druk op 1 om het gesprek aan te nemen.',
    gone: 'De beller is niet meer aan de lijn. Tot ziens.',
    declined: 'Dank u. Tot ziens.',
    unavailable: 'Er is op dit moment niemand beschikbaar. Belt u later terug. Tot ziens.',
    over: 'De andere persoon heeft opgehangen. Tot ziens.',
    recorded: 'Dit gesprek wordt opgenomen.',
    leave: 'Spreek een bericht in na de toon.',
    thanks: 'Dank u voor uw bericht. Tot ziens.',
  },
  pl: {
    hold: 'Proszę chwilę poczekać, łączę.',
    waiting: 'Rozmówca chce z Państwem rozmawiać.',
    accept: 'Aby odebrać rozmowę, proszę nacisnąć 1.',
    gone: 'Rozmówca się rozłączył. Do widzenia.',
    declined: 'Dziękuję. Do widzenia.',
    unavailable: 'W tej chwili nikt nie jest dostępny. Proszę zadzwonić później. Do widzenia.',
    over: 'Druga osoba się rozłączyła. Do widzenia.',
    recorded: 'Ta rozmowa jest nagrywana.',
    leave: 'Proszę zostawić wiadomość po sygnale.',
    thanks: 'Dziękujemy za wiadomość. Do widzenia.',
  },
} as const
