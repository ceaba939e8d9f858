/** The built-in templates of mails, by name and language (mail.md §4). */
import { CUSTOMER_MAILS, CUSTOMER_VARIABLES } from './customers.ts';
import { mailOf, type Template } from './layout.ts';

export type TemplateName = keyof typeof BUILT_IN;

const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;

type Translations = Readonly<Record<(typeof LANGUAGES)[number], Template>>;

export const BUILT_IN = {
  staff_invitation: {
    en: staffMail({
      subject: 'Your access to {{store}}',
      greeting: 'Hello {{name}},',
      before: 'You have been invited to the back office of {{store}}. Choose a password to sign in:',
      after:
        'The link expires after 72 hours and can be used only once. If you did not expect this e-mail, you can ignore it.',
    }),
    de: staffMail({
      subject: 'Ihr Zugang zu {{store}}',
      greeting: 'Guten Tag {{name}},',
      before: 'Sie wurden zur Verwaltung von {{store}} eingeladen. Wählen Sie ein Passwort, um sich anzumelden:',
      after:
        'Der Link ist 72 Stunden lang gültig und kann nur einmal verwendet werden. Wenn Sie diese E-Mail nicht erwartet haben, können Sie sie ignorieren.',
    }),
    fr: staffMail({
      subject: 'Votre accès à {{store}}',
      greeting: 'Bonjour {{name}},',
      before:
        'Un accès à l’administration de {{store}} a été créé pour vous. Choisissez un mot de passe pour vous connecter :',
      after:
        'Ce lien est valable 72 heures et ne peut être utilisé qu’une seule fois. Si vous n’attendiez pas cet e-mail, vous pouvez l’ignorer.',
    }),
    es: staffMail({
      subject: 'Su acceso a {{store}}',
      greeting: 'Hola, {{name}}:',
      before:
        'Se ha creado para usted un acceso a la administración de {{store}}. Elija una contraseña para iniciar sesión:',
      after:
        'El enlace solo se puede usar una vez y caduca a las 72 horas. Si no esperaba este correo, puede ignorarlo.',
    }),
  },
  staff_reset: {
    en: staffMail({
      subject: 'New password for {{store}}',
      greeting: 'Hello {{name}},',
      before: 'Somebody has asked for a new password for your account at {{store}}. Choose one here:',
      after:
        'The link expires after 60 minutes and can be used only once. If you did not ask for it, you can ignore this e-mail. Your password has not changed.',
    }),
    de: staffMail({
      subject: 'Neues Passwort für {{store}}',
      greeting: 'Guten Tag {{name}},',
      before: 'für Ihr Konto bei {{store}} wurde ein neues Passwort angefordert. Wählen Sie es hier:',
      after:
        'Der Link ist 60 Minuten lang gültig und kann nur einmal verwendet werden. Wenn Sie ihn nicht angefordert haben, können Sie diese E-Mail ignorieren. Ihr Passwort ist unverändert.',
    }),
    fr: staffMail({
      subject: 'Nouveau mot de passe pour {{store}}',
      greeting: 'Bonjour {{name}},',
      before: 'Un nouveau mot de passe a été demandé pour votre compte chez {{store}}. Choisissez-le ici :',
      after:
        'Ce lien est valable 60 minutes et ne peut être utilisé qu’une seule fois. Si vous ne l’avez pas demandé, vous pouvez ignorer cet e-mail. Votre mot de passe n’a pas changé.',
    }),
    es: staffMail({
      subject: 'Nueva contraseña para {{store}}',
      greeting: 'Hola, {{name}}:',
      before: 'Se ha solicitado una nueva contraseña para su cuenta en {{store}}. Elíjala aquí:',
      after:
        'El enlace solo se puede usar una vez y caduca a los 60 minutos. Si no lo ha solicitado, puede ignorar este correo. Su contraseña no ha cambiado.',
    }),
  },
  ...CUSTOMER_MAILS,
} as const satisfies Readonly<Record<string, Translations>>;

const STAFF_VARIABLES = ['store', 'name', 'link'] as const;

type Variable = (typeof STAFF_VARIABLES)[number] | 'login' | 'order';

/** What each template can contain. */
export const VARIABLES: Readonly<Record<TemplateName, readonly Variable[]>> = {
  staff_invitation: STAFF_VARIABLES,
  staff_reset: STAFF_VARIABLES,
  ...CUSTOMER_VARIABLES,
};

/** Whether mails with this template are for users of the back office. */
export function isToStaff(name: TemplateName): boolean {
  return !Object.hasOwn(CUSTOMER_MAILS, name);
}

interface Paragraphs {
  readonly subject: string;
  readonly greeting: string;
  readonly before: string;
  readonly after: string;
}

/** A mail around one link. */
function staffMail({ subject, greeting, before, after }: Paragraphs): Template {
  return mailOf(subject, greeting, before, '{{link}}', after);
}
