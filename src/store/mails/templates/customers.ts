/** The built-in templates of mails to customers. */
import { mailOf } from './layout.ts';

const LINK = '{{link}}';

export const CUSTOMER_MAILS = {
  verify: {
    en: mailOf(
      'Confirm your account at {{store}}',
      'Welcome to {{store}}! Confirm your e-mail address {{login}} to create your account:',
      LINK,
      'The link works once, for 24 hours. If you did not ask for an account, do not open the link and ignore this e-mail.',
    ),
    de: mailOf(
      'Bestätigen Sie Ihr Konto bei {{store}}',
      'Willkommen bei {{store}}! Bestätigen Sie Ihre E-Mail-Adresse {{login}}, um Ihr Konto anzulegen:',
      LINK,
      'Der Link funktioniert einmal, innerhalb von 24 Stunden. Wenn Sie kein Konto anlegen wollten, öffnen Sie den Link nicht und ignorieren Sie diese E-Mail.',
    ),
    fr: mailOf(
      'Confirmez votre compte chez {{store}}',
      'Bienvenue chez {{store}} ! Confirmez votre adresse e-mail {{login}} pour créer votre compte :',
      LINK,
      'Le lien fonctionne une seule fois, pendant 24 heures. Si vous n’avez pas demandé de compte, n’ouvrez pas le lien et ignorez cet e-mail.',
    ),
    es: mailOf(
      'Confirme su cuenta en {{store}}',
      '¡Bienvenido a {{store}}! Confirme su dirección de correo {{login}} para crear su cuenta:',
      LINK,
      'El enlace funciona una sola vez, durante 24 horas. Si no ha solicitado una cuenta, no abra el enlace e ignore este correo.',
    ),
  },
  account_exists: {
    en: mailOf(
      'You already have an account at {{store}}',
      'Somebody has entered your e-mail address {{login}} for an account at {{store}}, but you already have one.',
      'Log in with your password. If you have forgotten it, ask for a new one in the shop. If it was not you, you can ignore this e-mail. Your account has not changed.',
    ),
    de: mailOf(
      'Sie haben bereits ein Konto bei {{store}}',
      'Ihre E-Mail-Adresse {{login}} wurde bei {{store}} für ein Konto eingegeben, aber Sie haben bereits eines.',
      'Melden Sie sich mit Ihrem Passwort an. Wenn Sie es vergessen haben, fordern Sie im Shop ein neues an. Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren. Ihr Konto ist unverändert.',
    ),
    fr: mailOf(
      'Vous avez déjà un compte chez {{store}}',
      'Votre adresse e-mail {{login}} a été saisie chez {{store}} pour un compte, mais vous en avez déjà un.',
      'Connectez-vous avec votre mot de passe. Si vous l’avez oublié, demandez-en un nouveau dans la boutique. Si ce n’était pas vous, vous pouvez ignorer cet e-mail. Votre compte n’a pas changé.',
    ),
    es: mailOf(
      'Ya tiene una cuenta en {{store}}',
      'Se ha introducido su dirección de correo {{login}} en {{store}} para una cuenta, pero ya tiene una.',
      'Inicie sesión con su contraseña. Si la ha olvidado, solicite una nueva en la tienda. Si no ha sido usted, puede ignorar este correo. Su cuenta no ha cambiado.',
    ),
  },
  reset: {
    en: mailOf(
      'New password for {{store}}',
      'Somebody has asked for a new password for your account {{login}} at {{store}}. Choose one here:',
      LINK,
      'The link works once, for 60 minutes. If you did not ask for it, you can ignore this e-mail. Your password has not changed.',
    ),
    de: mailOf(
      'Neues Passwort für {{store}}',
      'Für Ihr Konto {{login}} bei {{store}} wurde ein neues Passwort angefordert. Wählen Sie es hier:',
      LINK,
      'Der Link funktioniert einmal, innerhalb von 60 Minuten. Wenn Sie ihn nicht angefordert haben, können Sie diese E-Mail ignorieren. Ihr Passwort ist unverändert.',
    ),
    fr: mailOf(
      'Nouveau mot de passe pour {{store}}',
      'Un nouveau mot de passe a été demandé pour votre compte {{login}} chez {{store}}. Choisissez-le ici :',
      LINK,
      'Le lien fonctionne une seule fois, pendant 60 minutes. Si vous ne l’avez pas demandé, vous pouvez ignorer cet e-mail. Votre mot de passe n’a pas changé.',
    ),
    es: mailOf(
      'Nueva contraseña para {{store}}',
      'Se ha solicitado una nueva contraseña para su cuenta {{login}} en {{store}}. Elíjala aquí:',
      LINK,
      'El enlace funciona una sola vez, durante 60 minutos. Si no lo ha solicitado, puede ignorar este correo. Su contraseña no ha cambiado.',
    ),
  },
  login_change: {
    en: mailOf(
      'Confirm your new e-mail address for {{store}}',
      'Confirm that you want to use {{login}} for your account at {{store}}:',
      LINK,
      'The link works once, for 24 hours. Then you log in with the new address. If you did not ask for it, do not open the link and ignore this e-mail.',
    ),
    de: mailOf(
      'Bestätigen Sie Ihre neue E-Mail-Adresse für {{store}}',
      'Bestätigen Sie, dass Sie {{login}} für Ihr Konto bei {{store}} verwenden möchten:',
      LINK,
      'Der Link funktioniert einmal, innerhalb von 24 Stunden. Danach melden Sie sich mit der neuen Adresse an. Wenn Sie das nicht angefordert haben, öffnen Sie den Link nicht und ignorieren Sie diese E-Mail.',
    ),
    fr: mailOf(
      'Confirmez votre nouvelle adresse e-mail pour {{store}}',
      'Confirmez que vous souhaitez utiliser {{login}} pour votre compte chez {{store}} :',
      LINK,
      'Le lien fonctionne une seule fois, pendant 24 heures. Vous vous connecterez ensuite avec la nouvelle adresse. Si vous ne l’avez pas demandé, n’ouvrez pas le lien et ignorez cet e-mail.',
    ),
    es: mailOf(
      'Confirme su nueva dirección de correo para {{store}}',
      'Confirme que desea usar {{login}} para su cuenta en {{store}}:',
      LINK,
      'El enlace funciona una sola vez, durante 24 horas. Después iniciará sesión con la nueva dirección. Si no lo ha solicitado, no abra el enlace e ignore este correo.',
    ),
  },
  login_change_notice: {
    en: mailOf(
      'Your e-mail address at {{store}} is about to change',
      'Somebody who knows your password has asked to use another e-mail address instead of {{login}} for your account at {{store}}. The change applies when the new address is confirmed.',
      'If it was not you, change your password now and contact {{store}}.',
    ),
    de: mailOf(
      'Ihre E-Mail-Adresse bei {{store}} soll geändert werden',
      'Jemand, der Ihr Passwort kennt, möchte für Ihr Konto bei {{store}} eine andere E-Mail-Adresse als {{login}} verwenden. Die Änderung gilt, sobald die neue Adresse bestätigt ist.',
      'Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort und wenden Sie sich an {{store}}.',
    ),
    fr: mailOf(
      'Votre adresse e-mail chez {{store}} va changer',
      'Une personne qui connaît votre mot de passe a demandé d’utiliser une autre adresse e-mail que {{login}} pour votre compte chez {{store}}. Le changement s’applique dès que la nouvelle adresse est confirmée.',
      'Si ce n’était pas vous, changez votre mot de passe maintenant et contactez {{store}}.',
    ),
    es: mailOf(
      'Su dirección de correo en {{store}} va a cambiar',
      'Alguien que conoce su contraseña ha solicitado usar otra dirección de correo en lugar de {{login}} para su cuenta en {{store}}. El cambio se aplica cuando se confirme la nueva dirección.',
      'Si no ha sido usted, cambie su contraseña ahora y póngase en contacto con {{store}}.',
    ),
  },
  order_link: {
    en: mailOf(
      'Your order {{order}} at {{store}}',
      'Here you can see your order {{order}} at {{store}}:',
      LINK,
      'The link works for 7 days. Everybody who has it can see the order, so do not forward this e-mail.',
    ),
    de: mailOf(
      'Ihre Bestellung {{order}} bei {{store}}',
      'Hier sehen Sie Ihre Bestellung {{order}} bei {{store}}:',
      LINK,
      'Der Link funktioniert 7 Tage lang. Wer ihn hat, kann die Bestellung sehen. Leiten Sie diese E-Mail daher nicht weiter.',
    ),
    fr: mailOf(
      'Votre commande {{order}} chez {{store}}',
      'Vous pouvez voir ici votre commande {{order}} chez {{store}} :',
      LINK,
      'Le lien fonctionne pendant 7 jours. Toute personne qui l’a peut voir la commande. Ne transférez donc pas cet e-mail.',
    ),
    es: mailOf(
      'Su pedido {{order}} en {{store}}',
      'Aquí puede ver su pedido {{order}} en {{store}}:',
      LINK,
      'El enlace funciona durante 7 días. Quien lo tenga puede ver el pedido, así que no reenvíe este correo.',
    ),
  },
} as const;

const OF_ACCOUNT = ['store', 'login', 'link'] as const;
const NOTICE = ['store', 'login'] as const;

export const CUSTOMER_VARIABLES = {
  verify: OF_ACCOUNT,
  account_exists: NOTICE,
  reset: OF_ACCOUNT,
  login_change: OF_ACCOUNT,
  login_change_notice: NOTICE,
  order_link: ['store', 'order', 'link'],
} as const;
