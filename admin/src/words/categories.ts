/** Texts of the categories' screen. */
import type { Rows } from './index.ts';

export const categoryWords: Rows = {
  'categories.new': ['New category', 'Neue Kategorie', 'Nouvelle catégorie', 'Categoría nueva'],
  'categories.make': ['Create category', 'Kategorie anlegen', 'Créer la catégorie', 'Crear categoría'],
  'categories.empty': [
    'No categories yet. “New category” makes the first one.',
    'Noch keine Kategorien. „Neue Kategorie“ legt die erste an.',
    'Pas encore de catégories. « Nouvelle catégorie » crée la première.',
    'Aún no hay categorías. «Nueva categoría» crea la primera.',
  ],
  'categories.choose': [
    'Choose a category to change it.',
    'Wählen Sie eine Kategorie, um sie zu ändern.',
    'Choisissez une catégorie pour la modifier.',
    'Elija una categoría para cambiarla.',
  ],
  'categories.parentHelp': [
    'Empty: at the top.',
    'Leer: ganz oben.',
    'Vide : tout en haut.',
    'Vacío: arriba del todo.',
  ],
  'categories.moveHelp': [
    'Drag to move, or hold Alt and press an arrow.',
    'Zum Verschieben ziehen, oder Alt halten und einen Pfeil drücken.',
    'Glissez pour déplacer, ou Alt et une flèche.',
    'Arrastre para mover, o mantenga Alt y pulse una flecha.',
  ],
  'categories.deleteHelp': [
    'All categories below it go along, with their pictures. Products stay.',
    'Alle Kategorien darunter gehen mit, samt ihren Bildern. Produkte bleiben.',
    'Toutes les catégories en dessous disparaissent, avec leurs images. Les produits restent.',
    'Desaparecen todas las de debajo, con sus imágenes. Los productos quedan.',
  ],
  'categories.icon': ['Icon', 'Symbol', 'Icône', 'Icono'],
  'categories.banner': ['Banner', 'Banner', 'Bannière', 'Banner'],
  'categories.choosePicture': ['Choose a picture', 'Bild wählen', 'Choisir une image', 'Elegir imagen'],
  'categories.products': ['Products', 'Produkte', 'Produits', 'Productos'],
  'categories.noProducts': [
    'No products. They are added on the product’s own screen.',
    'Keine Produkte. Hinzugefügt werden sie beim Produkt selbst.',
    'Pas de produits. Ils s’ajoutent depuis le produit.',
    'Sin productos. Se añaden desde el producto.',
  ],
};
