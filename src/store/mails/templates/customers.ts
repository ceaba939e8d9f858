/** The built-in templates of mails to customers. */
import { mailOf } from './layout.ts';

const LINK = '{{link}}';

export const CUSTOMER_MAILS = {
  verify: {
    en: mailOf(
      'Confirm your account at {{store}}',
      'Welcome to {{store}}! Confirm your e-mail address {{login}} to create your account:',
      LINK,
      'The link expires after 24 hours and can be used only once. If you did not ask for an account, ignore this e-mail and do not open the link.',
    ),
    de: mailOf(
      'Bestätigen Sie Ihr Konto bei {{store}}',
      'Willkommen bei {{store}}! Bestätigen Sie Ihre E-Mail-Adresse {{login}}, um Ihr Konto anzulegen:',
      LINK,
      'Der Link ist 24 Stunden lang gültig und kann nur einmal verwendet werden. Wenn Sie kein Konto anlegen wollten, öffnen Sie den Link nicht und ignorieren Sie diese E-Mail.',
    ),
    fr: mailOf(
      'Confirmez votre compte chez {{store}}',
      'Bienvenue chez {{store}} ! Confirmez votre adresse e-mail {{login}} pour créer votre compte :',
      LINK,
      'Ce lien est valable 24 heures et ne peut être utilisé qu’une seule fois. Si vous n’avez pas demandé à créer de compte, ignorez cet e-mail et n’ouvrez pas le lien.',
    ),
    es: mailOf(
      'Confirme su cuenta en {{store}}',
      'Le damos la bienvenida a {{store}}. Confirme su dirección de correo {{login}} para crear su cuenta:',
      LINK,
      'El enlace solo se puede usar una vez y caduca a las 24 horas. Si no ha solicitado una cuenta, ignore este correo y no abra el enlace.',
    ),
  },
  account_exists: {
    en: mailOf(
      'You already have an account at {{store}}',
      'Someone tried to use your e-mail address {{login}} for an account at {{store}}, but you already have one.',
      'Log in with your password. If you have forgotten it, request a new one in the shop. If this was not you, you can ignore this e-mail. Your account has not changed.',
    ),
    de: mailOf(
      'Sie haben bereits ein Konto bei {{store}}',
      'Jemand wollte Ihre E-Mail-Adresse {{login}} für ein Konto bei {{store}} verwenden. Sie haben dort aber bereits ein Konto.',
      'Melden Sie sich mit Ihrem Passwort an. Wenn Sie es vergessen haben, fordern Sie im Shop ein neues an. Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren. Ihr Konto ist unverändert.',
    ),
    fr: mailOf(
      'Vous avez déjà un compte chez {{store}}',
      'Quelqu’un a voulu utiliser votre adresse e-mail {{login}} pour un compte chez {{store}}, mais vous en avez déjà un.',
      'Connectez-vous avec votre mot de passe. Si vous l’avez oublié, demandez-en un nouveau dans la boutique. Si vous n’êtes pas à l’origine de cette demande, vous pouvez ignorer cet e-mail. Votre compte n’a pas changé.',
    ),
    es: mailOf(
      'Ya tiene una cuenta en {{store}}',
      'Alguien ha intentado usar su dirección de correo {{login}} para una cuenta en {{store}}, pero usted ya tiene una.',
      'Inicie sesión con su contraseña. Si la ha olvidado, solicite una nueva en la tienda. Si no ha sido usted, puede ignorar este correo. Su cuenta no ha cambiado.',
    ),
  },
  reset: {
    en: mailOf(
      'New password for {{store}}',
      'Someone has requested a new password for your account {{login}} at {{store}}. Choose one here:',
      LINK,
      'The link expires after 60 minutes and can be used only once. If you did not request a new password, you can ignore this e-mail. Your password has not changed.',
    ),
    de: mailOf(
      'Neues Passwort für {{store}}',
      'Für Ihr Konto {{login}} bei {{store}} wurde ein neues Passwort angefordert. Wählen Sie es hier:',
      LINK,
      'Der Link ist 60 Minuten lang gültig und kann nur einmal verwendet werden. Wenn Sie ihn nicht angefordert haben, können Sie diese E-Mail ignorieren. Ihr Passwort ist unverändert.',
    ),
    fr: mailOf(
      'Nouveau mot de passe pour {{store}}',
      'Un nouveau mot de passe a été demandé pour votre compte {{login}} chez {{store}}. Choisissez-le ici :',
      LINK,
      'Ce lien est valable 60 minutes et ne peut être utilisé qu’une seule fois. Si vous n’avez pas demandé de nouveau mot de passe, vous pouvez ignorer cet e-mail. Votre mot de passe n’a pas changé.',
    ),
    es: mailOf(
      'Nueva contraseña para {{store}}',
      'Se ha solicitado una nueva contraseña para su cuenta {{login}} en {{store}}. Elíjala aquí:',
      LINK,
      'El enlace solo se puede usar una vez y caduca a los 60 minutos. Si no lo ha solicitado, puede ignorar este correo. Su contraseña no ha cambiado.',
    ),
  },
  login_change: {
    en: mailOf(
      'Confirm your new e-mail address for {{store}}',
      'Confirm that you want to use {{login}} for your account at {{store}}:',
      LINK,
      'The link expires after 24 hours and can be used only once. Once you have confirmed the new address, log in with it. If you did not request this change, ignore this e-mail and do not open the link.',
    ),
    de: mailOf(
      'Bestätigen Sie Ihre neue E-Mail-Adresse für {{store}}',
      'Bestätigen Sie, dass Sie {{login}} für Ihr Konto bei {{store}} verwenden möchten:',
      LINK,
      'Der Link ist 24 Stunden lang gültig und kann nur einmal verwendet werden. Nach der Bestätigung melden Sie sich mit der neuen Adresse an. Wenn Sie diese Änderung nicht angefordert haben, öffnen Sie den Link nicht und ignorieren Sie diese E-Mail.',
    ),
    fr: mailOf(
      'Confirmez votre nouvelle adresse e-mail pour {{store}}',
      'Confirmez que vous souhaitez utiliser {{login}} pour votre compte chez {{store}} :',
      LINK,
      'Ce lien est valable 24 heures et ne peut être utilisé qu’une seule fois. Après confirmation, vous vous connecterez avec la nouvelle adresse. Si vous n’avez pas demandé ce changement, ignorez cet e-mail et n’ouvrez pas le lien.',
    ),
    es: mailOf(
      'Confirme su nueva dirección de correo para {{store}}',
      'Confirme que desea usar {{login}} para su cuenta en {{store}}:',
      LINK,
      'El enlace solo se puede usar una vez y caduca a las 24 horas. Tras la confirmación, iniciará sesión con la nueva dirección. Si no ha solicitado este cambio, ignore este correo y no abra el enlace.',
    ),
  },
  login_change_notice: {
    en: mailOf(
      'Your e-mail address at {{store}} is about to change',
      'Someone who knows your password has asked to use another e-mail address instead of {{login}} for your account at {{store}}. The change takes effect when the new address is confirmed.',
      'If this was not you, change your password now and contact {{store}}.',
    ),
    de: mailOf(
      'Ihre E-Mail-Adresse bei {{store}} soll geändert werden',
      'Jemand, der Ihr Passwort kennt, möchte für Ihr Konto bei {{store}} eine andere E-Mail-Adresse als {{login}} verwenden. Die Änderung wird wirksam, sobald die neue Adresse bestätigt wurde.',
      'Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort und wenden Sie sich an {{store}}.',
    ),
    fr: mailOf(
      'Demande de changement de votre adresse e-mail chez {{store}}',
      'Une personne qui connaît votre mot de passe a demandé à utiliser une autre adresse e-mail que {{login}} pour votre compte chez {{store}}. Le changement prendra effet dès que la nouvelle adresse aura été confirmée.',
      'Si vous n’êtes pas à l’origine de cette demande, changez votre mot de passe maintenant et contactez {{store}}.',
    ),
    es: mailOf(
      'Solicitud de cambio de su dirección de correo en {{store}}',
      'Alguien que conoce su contraseña ha solicitado usar otra dirección de correo en lugar de {{login}} para su cuenta en {{store}}. El cambio se aplicará cuando se confirme la nueva dirección.',
      'Si no ha sido usted, cambie su contraseña ahora y póngase en contacto con {{store}}.',
    ),
  },
  order_link: {
    en: mailOf(
      'Your order {{order}} at {{store}}',
      'View your order {{order}} at {{store}}:',
      LINK,
      'The link works for 7 days. Anyone who has it can see the order, so do not forward this e-mail.',
    ),
    de: mailOf(
      'Ihre Bestellung {{order}} bei {{store}}',
      'Hier sehen Sie Ihre Bestellung {{order}} bei {{store}}:',
      LINK,
      'Der Link ist 7 Tage lang gültig. Wer ihn hat, kann die Bestellung sehen. Leiten Sie diese E-Mail daher nicht weiter.',
    ),
    fr: mailOf(
      'Votre commande {{order}} chez {{store}}',
      'Consultez votre commande {{order}} chez {{store}} :',
      LINK,
      'Ce lien est valable 7 jours. Toute personne qui en dispose peut voir la commande. Ne transférez donc pas cet e-mail.',
    ),
    es: mailOf(
      'Su pedido {{order}} en {{store}}',
      'Consulte su pedido {{order}} en {{store}}:',
      LINK,
      'El enlace es válido durante 7 días. Quien lo tenga puede ver el pedido, así que no reenvíe este correo.',
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
